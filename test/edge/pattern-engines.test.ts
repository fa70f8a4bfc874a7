/**
 * Goal: the patterns of the documents compile, and mean the same, in the engines of other languages. Method: each pattern
 * with texts around its borders, in programs of a line's protocol, against what Node finds. No text ends in a line break:
 * before one `$` stands in Java, PHP and Python too.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createOpenApi } from "@titian/contract";
import { controlCalls } from "@titian/control";
import { sandboxCalls } from "../../packages/sandbox/src/control/sandbox-routes.ts";
import { whyNot } from "../support/shown-programs/run-program.ts";

/** A pattern's line is `P` and its Base64, a text's `T` and its own; each text's line is answered by 0 or 1. */
const programs = {
  python: {
    file: "match.py",
    command: ["python3"],
    source: `import base64, re, sys
for line in sys.stdin:
    text = base64.b64decode(line[1:]).decode()
    if line[0] == "P":
        pattern = re.compile(text)
    else:
        print(1 if pattern.search(text) else 0)
`,
  },
  php: {
    file: "match.php",
    command: ["php"],
    source: `<?php
while (($line = fgets(STDIN)) !== false) {
    $text = base64_decode(substr($line, 1));
    if ($line[0] === 'P') {
        $pattern = '~' . $text . '~u';
    } else {
        $found = preg_match($pattern, $text);
        if ($found === false) {
            throw new Exception(preg_last_error_msg());
        }
        echo $found, "\\n";
    }
}
`,
  },
  go: {
    file: "match.go",
    command: ["go", "run"],
    source: `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	var pattern *regexp.Regexp
	for lines.Scan() {
		text, err := base64.StdEncoding.DecodeString(lines.Text()[1:])
		if err != nil {
			panic(err)
		}
		if lines.Text()[0] == 'P' {
			pattern = regexp.MustCompile(string(text))
		} else if pattern.Match(text) {
			fmt.Fprintln(output, 1)
		} else {
			fmt.Fprintln(output, 0)
		}
	}
}
`,
  },
  java: {
    file: "Match.java",
    command: ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    source: `import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.regex.Pattern;

class Match {
    public static void main(String[] args) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        var output = new StringBuilder();
        Pattern pattern = null;
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var text = new String(Base64.getDecoder().decode(line.substring(1)), UTF_8);
            if (line.charAt(0) == 'P') {
                pattern = Pattern.compile(text);
            } else {
                output.append(pattern.matcher(text).find() ? "1\\n" : "0\\n");
            }
        }
        System.out.print(output);
    }
}
`,
  },
} as const;

const directory = mkdtempSync(join(tmpdir(), "titian-patterns-"));
after(() => rmSync(directory, { recursive: true }));

function patternsOf(...parts: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  JSON.stringify(parts, (name, value: unknown) => {
    if (name === "pattern" && typeof value === "string") found.add(value);
    return value;
  });
  return [...found];
}

const patterns = patternsOf(createOpenApi({ pathPrefix: "", version: "v1.0" }), controlCalls, sandboxCalls);

const borders = [0x09, 0x0d, 0x20, 0x7e, 0x7f, 0x84, 0x85, 0xa0, 0x661, 0x61c, 0x1680, 0x2000, 0x200a, 0x200b, 0x200e]
  .concat([0x2028, 0x202a, 0x202f, 0x205f, 0x2060, 0x2066, 0x2069, 0x3000, 0xfdcf, 0xfdd0, 0xfdf0, 0xfeff, 0xfffd])
  .concat([0xfffe, 0xffff, 0x1f600, 0x30, 0x39, 0x40, 0x61, 0x5a])
  .map((point) => String.fromCodePoint(point));
const whole = ["", "-", " - ", "true", "TRUE", "014", "CENAIDJA", "2001700", "1.50", "a@b", "2026-11-21T10:00:00Z"]
  .concat(["2026-11-21T10:00:00.5+07:00", "authorization_code", "88 01", "alpha", `${"x".repeat(48)}@b`])
  .concat([`${"x".repeat(49)}@b`, "1".repeat(36), "1".repeat(37), "sandbox", "1001000001"]);
const texts = [...whole, ...borders.flatMap((it) => [it, `a${it}b`, `${it}a@b`, `a${it}@b`, `00${it}a`])].filter(
  (text) => !/[\n\r\u0085\u2028\u2029]$/.test(text),
);

const languages = ["python", "php", "go", "java"] as const;
const reasons = await Promise.all(languages.map(whyNot));

test("the patterns have nothing that engines read differently, and compile in Node", () => {
  assert.ok(patterns.length >= 16);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[^.x+]|\(\?[^:]/, pattern);
    for (const flags of ["", "u"]) assert.doesNotThrow(() => new RegExp(pattern, flags), pattern);
  }
});

const encoded = (letter: string, text: string) => `${letter}${Buffer.from(text).toString("base64")}\n`;

for (const [index, language] of languages.entries()) {
  const skip = reasons[index] ?? false;
  test(`${language} reads every pattern as Node does`, { skip, timeout: 120_000 }, () => {
    const { file, command, source } = programs[language];
    writeFileSync(join(directory, file), source);
    const input = patterns
      .flatMap((pattern) => [encoded("P", pattern), ...texts.map((text) => encoded("T", text))])
      .join("");
    const [program, ...args] = command;
    const { stdout, stderr, status } = spawnSync(program, [...args, join(directory, file)], {
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    assert.equal(status, 0, stderr);
    const answers = stdout.trim().split("\n");
    assert.equal(answers.length, patterns.length * texts.length);
    for (const [row, pattern] of patterns.entries()) {
      const expression = new RegExp(pattern, "u");
      for (const [column, text] of texts.entries()) {
        const wanted = expression.test(text) ? "1" : "0";
        assert.equal(answers[row * texts.length + column], wanted, JSON.stringify([pattern, text]));
      }
    }
  });
}

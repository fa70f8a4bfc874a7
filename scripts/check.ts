/** `npm run check`: every gate in turn, all of them even when one fails, and a table at the end. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** npm's script of each gate, quickest first, and what mends most of what it finds. */
const gates = [
  { name: "format", hint: "npm run format:fix" },
  { name: "tidy", hint: undefined },
  { name: "docs:check", hint: undefined },
  { name: "lint", hint: "npm run lint -- --fix" },
  { name: "types", hint: undefined },
  { name: "knip", hint: undefined },
];

function run(name: string): boolean {
  console.log(`\n── ${name}`);
  const npm = process.env["npm_execpath"];
  const [program, before] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const done = spawnSync(program, [...before, "run", "--silent", name], { cwd: root, stdio: "inherit" });
  return done.status === 0;
}

const results = gates.map((gate) => ({ ...gate, isClean: run(gate.name) }));
console.log("\ncheck:");
for (const { name, hint, isClean } of results) {
  const advice = isClean || hint === undefined ? "" : ` (\`${hint}\` mends some of it)`;
  console.log(`  ${isClean ? "ok    " : "FAILED"} ${name}${advice}`);
}
const failed = results.filter(({ isClean }) => !isClean).length;
console.log(`${results.length - failed} gates clean, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

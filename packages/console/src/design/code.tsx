/** Text as it is, with a button that copies it. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { common } from "../texts/common.ts";

const shownMs = 1_600;

function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => void writeClipboard(text).then(() => setCopied(true));
  return (
    <button type="button" class="button" onClick={copy} {...(label !== undefined && { "aria-label": label })}>
      <span aria-live="polite">{isCopied ? common().copied : common().copy}</span>
    </button>
  );
}

/** The clipboard's interface is there on secure origins only; elsewhere a selection is copied. */
async function writeClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

interface CodeProps {
  readonly text: string;
  /** Name for a screen reader. */
  readonly label: string;
  /** Long lines break instead of scrolling. */
  readonly isWrapped?: boolean;
  /** Shown instead of the text, which is still what is copied. */
  readonly children?: ComponentChildren;
}

export function Code({ text, label, isWrapped = false, children }: CodeProps) {
  return (
    <div class={`code${isWrapped ? " wrap" : ""}`}>
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
      <CopyButton text={text} label={`${common().copy}: ${label}`} />
    </div>
  );
}

/** JSON with line breaks; anything else as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

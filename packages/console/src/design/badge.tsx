import type { Tone } from "../texts/words.ts";

interface BadgeProps {
  readonly tone: Tone;
  readonly children: string;
}

export function Badge({ tone, children }: BadgeProps) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

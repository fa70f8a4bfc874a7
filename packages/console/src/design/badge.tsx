export type Tone = "good" | "warn" | "bad" | "info" | "plain";

interface BadgeProps {
  readonly tone: Tone;
  readonly children: string;
}

export function Badge({ tone, children }: BadgeProps) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

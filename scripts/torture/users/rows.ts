/** Each kind of user, and the commands that do what such a user does. CONTRIBUTING.md has the same table in words. */
export interface UserRow {
  /** One word, for `--only`. */
  readonly name: string;
  readonly user: string;
  readonly steps: readonly Step[];
}

export interface Step {
  /** Program and arguments, from the root of the repository; `npm` is the npm that runs this. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** It is killed after this. */
  readonly limitMinutes: number;
}

const folder = "scripts/torture/users";
const script = (name: string): Step => ({
  command: [process.execPath, "--conditions=source", `${folder}/${name}`],
  limitMinutes: 10,
});
const torture = (limitMinutes: number, ...args: readonly string[]): Step => ({
  command: ["npm", "run", "torture", "--", ...args],
  limitMinutes,
});
const tests = (...paths: readonly string[]): Step => ({ command: ["npm", "test", "--", ...paths], limitMinutes: 20 });

export const rows: readonly UserRow[] = [
  {
    name: "role",
    user: "owner, administration and service, each with a database role of its own",
    steps: [
      script("production.ts"),
      tests("database/application-role", "database/rights", "cli-administration", "sandbox/sandbox-"),
    ],
  },
  {
    name: "shells",
    user: "a reader who pastes the documents' blocks into bash, zsh or dash",
    steps: [torture(90, "docs")],
  },
  {
    name: "versions",
    user: "who installs the packages under Node 20, 22 or 24",
    steps: [{ command: ["npm", "run", "pack:check"], limitMinutes: 10 }],
  },
  {
    name: "production",
    user: "an operator of production: one process and two workers, stopped under load",
    steps: [tests("e2e/workers", "e2e/stop-of-busy", "e2e/operators", "cli/cli.test")],
  },
  {
    name: "day",
    user: "a provider's operators from the first login to a partner's end, without psql and master key",
    steps: [script("provider-day.ts")],
  },
  {
    name: "minimal",
    user: "who has a minimal Debian: no ps, no init, Node 20 and npm alone",
    steps: [{ command: ["bash", `${folder}/minimal-root.sh`], limitMinutes: 25 }],
  },
  {
    name: "languages",
    user: "a partner whose calls and receiver are written in PHP, Go, Java or Python",
    steps: [{ ...tests("receiver/other-languages", "sandbox/sign.test"), env: { RECEIVER_LANGUAGES: "all" } }],
  },
  {
    name: "memory",
    user: "callers whose large bodies are rejected, in undici, curl, PHP and Java",
    steps: [torture(15, "attack", "--only=memory"), torture(15, "attack", "--only=callers")],
  },
];

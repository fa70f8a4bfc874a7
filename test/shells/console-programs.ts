/** The console's programs: of each operation one that works at once, pasted. */
import type { OperationView, SampleAnswer, SignedRequest } from "../../packages/sandbox/src/types.ts";
import type { Session } from "./session.ts";
import type { World } from "./world.ts";

/** In the order of the specification: a capture needs a payment. */
export async function findPrograms({ control }: World): Promise<readonly OperationView[]> {
  return (await control.call<{ readonly operations: readonly OperationView[] }>("GET", "operations")).operations;
}

export async function programsOf({ control }: World, { name }: OperationView, partnerId: string) {
  const sample = await control.call<SampleAnswer>("GET", `operations/${name}/sample?partnerId=${partnerId}`);
  const body = { partnerId, operation: name, body: sample.body };
  return (await control.call<SignedRequest>("POST", "sign", body)).code;
}

export async function pasteOperation(world: World, session: Session, operation: OperationView, partnerId: string) {
  const { curl } = await programsOf(world, operation, partnerId);
  const { codes, output, leftBehind, exitCode } = await session.paste(curl);
  const wanted = new RegExp(`^20[02]${operation.code}00$`);
  const answered = exitCode === 0 && codes.length > 0 && codes.every((code) => wanted.test(code));
  return { program: curl, answered: answered || output, leftBehind };
}

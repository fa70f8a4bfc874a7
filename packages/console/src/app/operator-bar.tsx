/** The operator of the session, on every page of production. */
import { useAction } from "../api/action.ts";
import { signOut } from "../api/connection.ts";
import { operator } from "../api/host.ts";
import { Button } from "../design/inputs.tsx";
import { errorText } from "../design/states.tsx";
import { shell } from "../texts/shell.ts";
import { word } from "../texts/words.ts";

export function OperatorBar() {
  const texts = shell();
  const { run, isRunning, error } = useAction(signOut);
  const { name, roles = [] } = operator.value ?? {};
  return (
    <div class="status">
      <span>
        {texts.operator} <strong>{name}</strong>
      </span>
      <span>{roles.map((role) => word("operatorRoles", role)).join(", ")}</span>
      <Button isBusy={isRunning} onClick={() => run()}>
        {texts.signOut}
      </Button>
      {error && <span role="alert">{errorText(error)}</span>}
    </div>
  );
}

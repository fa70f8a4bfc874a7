/** Asks for the control token, where the sandbox does not open a session without it. */
import { useState } from "preact/hooks";
import { refresh, signIn } from "../api/connection.ts";
import { Button, TextField } from "../design/inputs.tsx";
import { Page, Panel } from "../design/page.tsx";
import { shell } from "../texts/shell.ts";

export function SignIn() {
  const texts = shell();
  const [token, setToken] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const isOpen = await signIn(token.trim());
    setBusy(false);
    setWrong(!isOpen);
    if (isOpen) refresh();
  };
  return (
    <Page title={texts.signInTitle} lead={texts.signInLead}>
      <Panel>
        <form class="stack-tight" onSubmit={submit}>
          <TextField
            label={texts.token}
            hint={texts.tokenHint}
            fault={isWrong ? texts.wrongToken : undefined}
            type="password"
            value={token}
            onInput={setToken}
            isRequired
          />
          <div>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {texts.signIn}
            </Button>
          </div>
        </form>
      </Panel>
    </Page>
  );
}

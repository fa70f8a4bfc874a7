/** The way in: to the identity provider in production; the control token, where a sandbox does not open a session without it. */
import { useState } from "preact/hooks";
import { useAction } from "../api/action.ts";
import { signIn } from "../api/connection.ts";
import { isProduction, loginPath } from "../api/host.ts";
import { Button, TextField } from "../design/inputs.tsx";
import { Page, Panel } from "../design/page.tsx";
import { errorText, Notice } from "../design/states.tsx";
import { shell } from "../texts/shell.ts";

export function SignIn() {
  return isProduction() ? <ToLogin /> : <ControlTokenForm />;
}

function ToLogin() {
  const texts = shell();
  return (
    <Page title={texts.logInTitle} lead={texts.logInLead}>
      <div>
        <a class="button primary" href={loginPath}>
          {texts.logIn}
        </a>
      </div>
    </Page>
  );
}

function ControlTokenForm() {
  const texts = shell();
  const [token, setToken] = useState("");
  const { run, isRunning, error, result } = useAction(signIn);
  const submit = (event: Event): void => {
    event.preventDefault();
    run(token.trim());
  };
  return (
    <Page title={texts.signInTitle} lead={texts.signInLead}>
      <Panel>
        <form class="stack-tight" onSubmit={submit}>
          <TextField
            label={texts.token}
            hint={texts.tokenHint}
            fault={result === false ? texts.wrongToken : undefined}
            type="password"
            value={token}
            onInput={setToken}
            isRequired
          />
          <div>
            <Button type="submit" kind="primary" isBusy={isRunning}>
              {texts.signIn}
            </Button>
          </div>
          {error && <Notice tone="bad">{errorText(error)}</Notice>}
        </form>
      </Panel>
    </Page>
  );
}

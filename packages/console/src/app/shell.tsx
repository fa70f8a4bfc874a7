/** The frame around every page. */
import { useEffect } from "preact/hooks";
import { connection } from "../api/connection.ts";
import { followSearchKey } from "../routing/focus-search.ts";
import { route } from "../routing/router.ts";
import { shell } from "../texts/shell.ts";
import { Brand, SideNavigation, TabBar } from "./navigation.tsx";
import { pageOf } from "./pages.tsx";
import { SignIn } from "./sign-in.tsx";
import { isProduction } from "../api/host.ts";
import { OperatorBar } from "./operator-bar.tsx";
import { StatusBar, Switches } from "./status-bar.tsx";

export function Shell() {
  const texts = shell();
  const state = connection.value;
  useEffect(followSearchKey, []);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {texts.skip}
      </button>
      <div class="shell">
        <SideNavigation />
        <div class="content">
          <header class="topbar">
            <Brand place="top" />
            {state !== "signedOut" && (isProduction() ? <OperatorBar /> : <StatusBar />)}
            <Switches />
          </header>
          <div role="status">
            {state === "offline" && (
              <div class="banner">
                <span class="spinner" />
                {texts.offline}
              </div>
            )}
          </div>
          <main id="main" class="main" tabIndex={-1}>
            {state === "signedOut" ? <SignIn /> : <CurrentPage />}
          </main>
        </div>
        <TabBar />
      </div>
    </>
  );
}

/** A page of another path is another page: its state begins anew, and its heading gets the focus. */
function CurrentPage() {
  const { parts, query } = route.value;
  return <div key={parts.join("/")}>{pageOf(parts, query)}</div>;
}

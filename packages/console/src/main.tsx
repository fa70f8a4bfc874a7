/** The sandbox's console. */
import { render } from "preact";
import { signIn } from "./api/connection.ts";
import { Shell } from "./app/shell.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/layout.css";
import "./styles/inputs.css";
import "./styles/parts.css";
import "./styles/tables.css";
import "./styles/search.css";
import "./styles/record.css";
import "./styles/calls.css";
import "./styles/try.css";
import "./styles/overview.css";

const root = document.getElementById("console");

/** First the session: what the page reads is refused without one. */
void signIn().then(() => root && render(<Shell />, root));

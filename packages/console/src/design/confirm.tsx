/** Asks before an act that nothing takes back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { common } from "../texts/common.ts";
import { TextField } from "./inputs.tsx";

export interface Question {
  readonly title: string;
  /** Sentences on what will happen, to which amount, and to whom. */
  readonly text: string;
  /** Name of the act, on its button. */
  readonly action: string;
  /** A reason is asked for, too. `missing`: said where it is empty; absent: it may be. */
  readonly reason?: { readonly label: string; readonly missing?: string };
  /** `reason`: trimmed, empty where none was given. */
  readonly onConfirm: (reason: string) => void;
}

interface Confirmation {
  ask(question: Question): void;
  /** To be shown somewhere on the page. */
  readonly dialog: ComponentChildren;
}

export function useConfirm(): Confirmation {
  const [question, setQuestion] = useState<Question>();
  const dialog = question && <Confirm question={question} onClose={() => setQuestion(undefined)} />;
  return { ask: setQuestion, dialog };
}

interface ConfirmProps {
  readonly question: Question;
  readonly onClose: () => void;
}

/**
 * A modal dialog keeps the focus, gives it back, and is closed by Escape. It begins on the reason, or on the button that does
 * nothing, so that a key pressed twice confirms nothing.
 */
function Confirm({ question: { title, text, action, reason, onConfirm }, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [given, setGiven] = useState("");
  const [fault, setFault] = useState<string>();
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  const confirm = ({ detail }: MouseEvent): void => {
    // The second click of a double click, on what asked.
    if (detail > 1 || dialog.current?.open !== true) return;
    if (reason?.missing !== undefined && given.trim() === "") return setFault(reason.missing);
    close();
    onConfirm(given.trim());
  };
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{text}</p>
      {reason && <TextField label={reason.label} value={given} onInput={setGiven} maxLength={500} fault={fault} />}
      <div class="row confirm-acts">
        <button type="button" class="button" onClick={close}>
          {common().cancel}
        </button>
        <button type="button" class="button danger" onClick={confirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}

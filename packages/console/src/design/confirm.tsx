/** Asks before an act that nothing takes back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { common } from "../texts/common.ts";

export interface Question {
  readonly title: string;
  /** Sentences on what will happen, to which amount, and to whom. */
  readonly text: string;
  /** Name of the act, on its button. */
  readonly action: string;
  readonly onConfirm: () => void;
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
 * A modal dialog keeps the focus, gives it back, and is closed by Escape. It begins on the button that does nothing, so that a
 * key pressed twice confirms nothing.
 */
function Confirm({ question: { title, text, action, onConfirm }, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  const confirm = ({ detail }: MouseEvent): void => {
    // The second click of a double click, on what asked.
    if (detail > 1 || dialog.current?.open !== true) return;
    close();
    onConfirm();
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

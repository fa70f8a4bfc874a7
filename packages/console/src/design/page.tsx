/** The frame of a page, and the panels on it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface PageProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let shownBefore = false;

/** After a navigation its heading has the focus, so that the next key and the screen reader begin there. */
export function Page({ title, lead, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (shownBefore) heading.current?.focus({ preventScroll: true });
    shownBefore = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · Titian`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <div>
          {back && (
            <a class="crumb" href={back.href}>
              ← {back.label}
            </a>
          )}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      <div class="stack">{children}</div>
    </>
  );
}

interface PanelProps {
  readonly title?: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The children reach the edges: a table. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ title, lead, actions, isFlush = false, children }: PanelProps) {
  const id = useId();
  const body = isFlush ? children : <div class={`panel-body${title === undefined ? " first" : ""}`}>{children}</div>;
  return (
    <section class="panel" {...(title !== undefined && { "aria-labelledby": id })}>
      {title !== undefined && (
        <div class="panel-head">
          <h2 id={id}>{title}</h2>
          {actions && <div class="row">{actions}</div>}
          {lead && <p>{lead}</p>}
        </div>
      )}
      {body}
    </section>
  );
}

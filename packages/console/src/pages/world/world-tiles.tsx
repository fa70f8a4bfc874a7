import { Icon } from "../../design/icons.tsx";
import { worldEntries } from "../../routing/navigation-entries.ts";
import { hrefOf } from "../../routing/router.ts";

/** The way to each list, which a phone has nowhere else. */
export function WorldTiles({ label: name }: { readonly label: string }) {
  return (
    <nav class="tiles" aria-label={name}>
      {worldEntries().map(({ parts, icon, label }) => (
        <a key={label} class="tile panel" href={hrefOf(parts)}>
          <Icon name={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}

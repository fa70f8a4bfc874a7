/** The few drawings of the navigation; what they stand for is said beside them. */

const paths = {
  home: "M3 9.5 10 3l7 6.5V17h-4.5v-4.5h-5V17H3z",
  calls: "M3 6h10l-3-3M17 14H7l3 3",
  try: "M6 4l10 6-10 6z",
  world: "M10 3a7 7 0 100 14 7 7 0 000-14zM3 10h14M10 3c2 2 3 4.5 3 7s-1 5-3 7c-2-2-3-4.5-3-7s1-5 3-7z",
  accounts: "M3 8l7-4 7 4M4 17h12M5 8.5v6M10 8.5v6M15 8.5v6",
  holds: "M5 9h10v8H5zM7 9V6.5a3 3 0 016 0V9",
  transfers: "M4 7h12l-3-3M16 13H4l3 3",
  paymentRequests: "M5 3h10v14l-2.5-2-2.5 2-2.5-2L5 17zM8 7h4M8 10h4",
  bulks: "M10 3l7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5L10 17l7-3.5",
  notifications: "M5 14V9a5 5 0 0110 0v5l1.5 1.5h-13zM8.5 17.5h3",
  acts: "M10 3a7 7 0 100 14 7 7 0 000-14zM6.5 10l2.5 2.5 4.5-5",
  rails: "M3 7h14M3 13h14M6 4v12M14 4v12",
  partners: "M3 16v-8l7-4 7 4v8M8 16v-4h4v4",
  operators: "M10 4a3 3 0 100 6 3 3 0 000-6zM4 17c0-3.5 2.7-5 6-5s6 1.5 6 5",
  clock: "M10 3a7 7 0 100 14 7 7 0 000-14zM10 6v4l3 2",
  faults: "M10 3l7.5 13.5h-15zM10 8v4M10 14v.5",
  audit: "M4 10l4 4 8-8",
  docs: "M5 3h7l3 3v11H5zM8 9h4M8 12h4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#b4451f" />
      <path d="M8 9h16v3.4h-6.2V24h-3.6V12.4H8z" fill="#fff" />
    </svg>
  );
}

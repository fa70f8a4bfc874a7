/** Every event of the security log. The names are stable; docs/reference/security-log.md has this table. */
export const securityEvents = {
  "log.opened": "A process of the service opened the file. Its chain begins here, behind the line named by `after`.",
  "log.continued": "The file was moved and a new one was opened: the chain goes on here.",
  "log.rotated": "The file was moved: the chain goes on in the next one.",
  "log.omitted":
    "`count` events have no line: they came faster than the log writes them, or the file could not be written.",
  "log.closed": "The process ended as it was asked to.",
  "authentication.failed":
    "A call failed authentication; `reason` as in `titian_authentication_failures_total`, `partner` as claimed.",
  "access.denied": "A partner called a service, or named an account to pay from, that it may not use.",
  "limit.exceeded": "A call was answered 429xx00.",
  "token.issued": "A partner got an access token (73).",
  "grant.used":
    "A partner got a customer's token (74); `reason` is what it presented: `authorization_code` or `refresh_token`.",
  "grant.rejected":
    "A partner presented an authorization code or refresh token that is unknown, used, expired or another's.",
  "grant.ended": "A refresh token was reused: its grant was ended.",
  "personal_data.read": "An operator's call read records of customers: `operation` is its name, `identity` the door.",
  "client_secret.compared":
    "An operator's call (`operation`) gave a client secret, and its answer says whether it is the one of `partner`.",
  "session.opened": "An operator (`identity`) logged in; `reason` is `console` or `cli`, `target` the session.",
  "session.ended": "An operator (`identity`) ended the session `target`.",
  "session.denied":
    "A login was rejected: `reason` is `unknown_operator`, `ended_operator`, or what the identity provider or its answer was rejected for.",
  "act.proposed": "An operator (`identity`) proposed the act `act` of the kind `operation` on `target`.",
  "act.approved": "An operator approved the act `act`.",
  "act.refused": "An operator refused the act `act`, or took it back.",
  "act.expired": "Nobody approved the act `act` in time.",
  "act.carried_out": "A node dealt with the act `act`; `reason` is `done` or `rejected`.",
} as const satisfies Readonly<Record<string, string>>;

export type SecurityEvent = keyof typeof securityEvents;

/** All that a line may say beside event and time: bodies, tokens, signatures and secrets have no member. */
export interface SecurityFacts {
  readonly address?: string | undefined;
  /** `X-PARTNER-ID`. */
  readonly partner?: string | undefined;
  /** An operator: issuer and subject. */
  readonly identity?: string | undefined;
  readonly operation?: string | undefined;
  readonly correlationId?: string | undefined;
  /** One word of a fixed list. */
  readonly reason?: string | undefined;
  readonly act?: string | undefined;
  /** Account or reference number. */
  readonly target?: string | undefined;
  readonly count?: number | undefined;
  readonly processId?: number | undefined;
  /** Hash of the line that was the file's last when it was opened. */
  readonly after?: string | undefined;
}

/** A sentence in both languages. `{name}` stands for a value of the call. */
export interface Sentence {
  readonly en: string;
  readonly id: string;
}

/** The page, as three texts. */
export interface UiAssets {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

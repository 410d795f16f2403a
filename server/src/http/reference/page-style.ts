/** The accent of payment pages whose organisation chose no colour. */
const accent = '#2f5bd0'

/** Two tracks that meet, on the accent colour. An image of the page must be in the page, because of its sandbox. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent}"/><path d="M4 21h24M4 21c10 0 8-10 24-10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

export const favicon = `data:image/svg+xml,${encodeURIComponent(icon)}`

/** The colours of the payment pages, by the names of the reference page's own variables. */
export const referenceStyle = `
.light-mode {
  --scalar-background-1: #ffffff;
  --scalar-background-2: #f5f6f8;
  --scalar-background-3: #e9ecf0;
  --scalar-background-accent: #e8eefb;
  --scalar-border-color: #d8dde3;
  --scalar-color-1: #14181d;
  --scalar-color-2: #3d4650;
  --scalar-color-3: #56606b;
  --scalar-color-accent: ${accent};
  --scalar-color-green: #0f7a43;
  --scalar-color-red: #b3261e;
  --scalar-color-yellow: #8a5a00;
  --scalar-color-blue: #1f5fa8;
  --scalar-color-orange: #a34a00;
  --scalar-color-purple: #6b3fa0;
  --scalar-button-1: ${accent};
  --scalar-button-1-color: #ffffff;
  --scalar-button-1-hover: #254aa9;
}
.dark-mode {
  --scalar-background-1: #0e1114;
  --scalar-background-2: #181c21;
  --scalar-background-3: #232930;
  --scalar-background-accent: #1a2540;
  --scalar-border-color: #2c333b;
  --scalar-color-1: #eef1f4;
  --scalar-color-2: #c9d0d7;
  --scalar-color-3: #a8b1bb;
  --scalar-color-accent: #8eabf3;
  --scalar-color-green: #5fd394;
  --scalar-color-red: #ff9d95;
  --scalar-color-yellow: #ecc36a;
  --scalar-color-blue: #8fbcf2;
  --scalar-color-orange: #f2ac75;
  --scalar-color-purple: #c7a5f0;
  --scalar-button-1: #8eabf3;
  --scalar-button-1-color: #0e1114;
  --scalar-button-1-hover: #b0c4f7;
}
/* A section is focused when its link is followed; it is no control, so it needs no ring. */
section:focus-visible {
  outline: none;
}
/* Names of headers and fields stay in one piece. */
.markdown p code {
  white-space: nowrap;
}
`

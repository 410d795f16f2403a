/** Plain text: the HTML part escapes it, so that variables cannot inject markup. */
export interface Notice {
  subject: string
  greeting: string
  paragraphs: string[]
  /** Shown as a table behind the first paragraph. */
  rows?: readonly (readonly [label: string, value: string])[]
  /** The label of the button, for a notice with a link. */
  action?: string
}

type Variables = Record<string, string>
export type NoticeText = (variables: Variables) => Notice

export const hello = {
  en: (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`),
  fr: (name: string) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  pt: (name: string) => (name === '' ? 'Olá,' : `Olá ${name},`),
} as const

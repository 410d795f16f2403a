/**
 * Texts of callers that we send under the operator's name. Nothing in them may look like a link or markup, because mail
 * clients turn even a bare host name into a link. The classes of dots are those that browsers accept in host names.
 */

/** Invisible characters, such as zero-width spaces and marks of the writing direction. */
const invisible = /\p{Cf}/gu
const markup = /<[\p{L}/!?]|\]\(/u
const address = /[:：][/\\]|\bwww[.․。﹒．｡]|[\p{L}\p{N}][.․。﹒．｡][\p{L}\p{M}]{2,63}[/\\?]/iu
const hostName = /[\p{L}\p{N}][.․。﹒．｡][\p{L}\p{M}]{2}/u

/** For names: some companies and people have a name with a dot, which `breakLinks` separates in a mail. */
export function hasLinkOrMarkup(text: string): boolean {
  const visible = text.replaceAll(invisible, '')
  return markup.test(visible) || address.test(visible)
}

/** For sentences: also anything that could be a host name. */
export const hasHostName = (text: string): boolean => hostName.test(text.replaceAll(invisible, ''))

/** One line in which no mail client finds a link; amounts and times stay as they are. */
export const breakLinks = (text: string): string =>
  text
    .replaceAll(invisible, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/<(?=[\p{L}/!?])/gu, '‹')
    .replaceAll(/[:：](?=[/\\])/g, '$& ')
    .replaceAll(/[.․。﹒．｡](?=[^\s\p{P}\p{N}])/gu, '$& ')

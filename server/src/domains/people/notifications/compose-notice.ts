import { breakLinks } from '../../../lib/text/plain-text.ts'
import type { Notice, NoticeText } from './write-greeting.ts'
import { noticeTexts, type TemplateName } from './write-notice.ts'

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(noticeTexts, name)

/** The text of a notice in the language it was queued in. Callers choose many variables, so none becomes a link. */
export function composeNotice(notification: {
  template: string
  language: string
  variables: Record<string, string>
}): Notice {
  const { template, variables } = notification
  if (!isTemplate(template)) throw new Error(`unknown template ${template}`)
  const texts: Readonly<Record<string, NoticeText>> = noticeTexts[template]
  const write = texts[notification.language] ?? noticeTexts[template].en
  const harmless = Object.entries(variables).map(([name, text]) => [name, breakLinks(text)])
  return write(Object.fromEntries(harmless))
}

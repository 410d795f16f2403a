import { languages } from './rules.ts'
import type { Notice } from './write-greeting.ts'
import { noticeTexts, type TemplateName } from './write-notice.ts'

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(noticeTexts, name)

/** The text of a notice in the language it was queued in. */
export function composeNotice(notification: {
  template: string
  language: string
  variables: Record<string, string>
}): Notice {
  const { template, variables } = notification
  if (!isTemplate(template)) throw new Error(`unknown template ${template}`)
  const language = languages.find((one) => one === notification.language) ?? 'en'
  return noticeTexts[template][language](variables)
}

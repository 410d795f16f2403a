import type { LinkKind } from '../../lib/links.ts'
import type { Priority } from './rules.ts'
import type { TemplateName } from './write-notice.ts'

export interface SealedNotice {
  notificationId: string
  privateSealed: Buffer
}

export interface NewNotification {
  /** Whose inbox shows it too; null for somebody who is no member. */
  userId: string | null
  template: TemplateName
  recipient: string
  variables: Record<string, string>
  /** Instead of recipient and variables in clear. */
  sealed?: SealedNotice
  /** Decides the language. */
  country?: string | null
  priority?: Priority
  link?: { kind: LinkKind; id: string }
}

/** Of what a notice is made, wherever it is shown. */
export interface NoticeRow {
  template: string
  language: string
  priority: string
  variables: Record<string, string>
  link: { kind: LinkKind; id: string } | undefined
}

export interface ClaimedNotification extends NoticeRow {
  recipient: string
  privateSealed: Buffer | null
  attempts: number
}

export interface InboxEntry extends NoticeRow {
  notificationId: string
  mailStatus: string
  readAt: Date | null
  createdAt: Date
}

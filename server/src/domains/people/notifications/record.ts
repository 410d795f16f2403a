import type { LinkKind } from '../../../lib/net/links.ts'
import type { Priority } from './rules.ts'
import type { TemplateName } from './write-notice.ts'

export interface SealedNotice {
  notificationId: string
  privateSealed: Buffer
}

export interface NewNotification {
  /** The member whose inbox shows it; null for recipients who are not members. */
  userId: string | null
  template: TemplateName
  recipient: string
  variables: Record<string, string>
  /** Replaces recipient and variables in clear text. */
  sealed?: SealedNotice
  /** The language is derived from it, unless the recipient has chosen one. */
  country?: string | null
  language?: string
  priority?: Priority
  link?: { kind: LinkKind; id: string }
}

/** The parts of a notice that mail and inbox share. */
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

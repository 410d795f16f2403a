import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Links } from '../../../lib/net/links.ts'
import type { LimitMails } from '../../people/notifications/limit-mails.ts'
import type { Priority } from '../../people/notifications/rules.ts'

export type Target = 'sender' | 'beneficiary'

export type VerificationType = 'bvn' | 'nin'

export interface VerificationRequest {
  orgId: string
  requestId: string
  paymentId: string
  target: Target
  targetId: string
  verificationType: VerificationType
  triggeredBy: string
  requestedBy: string
  notificationId: string
  answerSealed: Buffer | null
  answeredAt: Date | null
  expiresAt: Date
  createdAt: Date
}

export type NewRequest = Omit<VerificationRequest, 'orgId' | 'answerSealed' | 'answeredAt' | 'createdAt'>

export type ListedRequest = Omit<VerificationRequest, 'answerSealed'> & { mailStatus: string }

export type AnsweredRequest = ListedRequest & { answer: string | null }

export interface VerificationOrder {
  userId: string
  paymentId: string
  verificationType: VerificationType
  triggeredBy: string
  targets: readonly { target: Target; id: string }[]
  message: string
  priority: Priority
}

export interface VerificationResult {
  target: Target
  id: string
  requestId: string | undefined
  message: string
}

export interface VerificationDeps {
  db: Database
  vault: Vault
  clock: Clock
  limitMails: LimitMails
}

export interface AnswerDeps extends VerificationDeps {
  links: Links
}

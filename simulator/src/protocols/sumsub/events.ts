import { randomUUID } from 'node:crypto'
import type { Applicant, Sumsub } from './applicants.ts'

type EventType =
  | 'applicantCreated'
  | 'applicantPending'
  | 'applicantReviewed'
  | 'applicantOnHold'
  | 'applicantReset'

/** Sumsub's webhooks contain no personal data. */
export async function announce({ kit }: Sumsub, applicant: Applicant, type: EventType): Promise<void> {
  const at = kit.clock.now().toISOString()
  const body = JSON.stringify({
    applicantId: applicant.id,
    inspectionId: applicant.id,
    applicantType: applicant.type,
    correlationId: randomUUID(),
    levelName: applicant.levelName,
    externalUserId: applicant.externalUserId,
    type,
    sandboxMode: true,
    reviewStatus: applicant.reviewStatus,
    ...(type === 'applicantReviewed' && { reviewResult: applicant.reviewResult }),
    createdAtMs: at.replace('T', ' ').replace('Z', ''),
    clientId: 'switchyard-sandbox',
  })
  await kit.sendWebhook({
    account: applicant.account,
    reference: applicant.externalUserId,
    draft: { event: type, body, contentType: 'application/json' },
  })
}

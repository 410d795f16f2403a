import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../core/store.ts'
import type { Kit } from '../../protocol.ts'

const reviewSchema = z.object({
  reviewAnswer: z.enum(['GREEN', 'RED']),
  reviewRejectType: z.enum(['RETRY', 'FINAL']).optional(),
  moderationComment: z.string().optional(),
})
export type ReviewResult = z.infer<typeof reviewSchema>

/** Only numbers are stored, never personal data. */
const applicantSchema = z.object({
  id: z.string(),
  account: z.string(),
  externalUserId: z.string(),
  levelName: z.string(),
  type: z.enum(['individual', 'company']),
  companyName: z.string(),
  createdAt: z.string(),
  documents: z.int(),
  beneficiaries: z.int(),
  reviewStatus: z.enum(['init', 'pending', 'completed']),
  reviewResult: reviewSchema.optional(),
})
export type Applicant = z.infer<typeof applicantSchema>

export interface Sumsub {
  readonly kit: Kit
  readonly applicants: Store<Applicant>
}

export const openState = (kit: Kit): Sumsub => ({
  kit,
  applicants: kit.objects('applicants', applicantSchema),
})

/** Sumsub's ids have 24 hexadecimal digits. */
export const newApplicantId = (): string => randomBytes(12).toString('hex')

export function findByExternalId(
  { applicants }: Sumsub,
  account: string,
  externalUserId: string,
): Applicant | undefined {
  for (const applicant of applicants.values())
    if (applicant.account === account && applicant.externalUserId === externalUserId)
      return applicants.get(applicant.id)
  return undefined
}

export const presentApplicant = (applicant: Applicant): object => ({
  id: applicant.id,
  createdAt: applicant.createdAt,
  key: applicant.account,
  clientId: 'switchyard-sandbox',
  externalUserId: applicant.externalUserId,
  type: applicant.type,
  review: {
    reviewStatus: applicant.reviewStatus,
    levelName: applicant.levelName,
    ...(applicant.reviewResult && { reviewResult: applicant.reviewResult }),
  },
})

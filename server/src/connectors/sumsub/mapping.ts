import { z } from 'zod'
import countries from 'i18n-iso-countries'
import type { KybCompany, KybNews, KybPerson } from '../kit/kyb-provider.ts'

/** Sumsub uses ISO 3166 alpha-3 countries. */
export const alpha3 = (country: string): string => countries.alpha2ToAlpha3(country) ?? country

export const companyInfo = (company: KybCompany): object => ({
  companyName: company.legalName,
  registrationNumber: company.registrationNumber,
  country: alpha3(company.country),
  ...(company.incorporatedOn !== undefined && { incorporatedOn: company.incorporatedOn }),
  ...(company.legalAddress !== undefined && { legalAddress: company.legalAddress }),
  ...(company.taxId !== undefined && { taxId: company.taxId }),
  ...(company.website !== undefined && { website: company.website }),
  ...(company.email !== undefined && { email: company.email }),
  ...(company.phone !== undefined && { phone: company.phone }),
})

export const beneficiary = (person: KybPerson): object => ({
  beneficiaryInfo: {
    firstName: person.firstName,
    lastName: person.lastName,
    ...(person.dateOfBirth !== undefined && { dob: person.dateOfBirth }),
    ...(person.country !== undefined && { country: alpha3(person.country) }),
    ...(person.email !== undefined && { email: person.email }),
    ...(person.phone !== undefined && { phone: person.phone }),
  },
  types: [person.role],
  ...(person.sharePercent !== undefined && { shareSize: person.sharePercent }),
})

const webhookSchema = z.object({
  applicantId: z.string().min(1).max(100),
  externalUserId: z.string().optional(),
  type: z.string().max(100),
  createdAtMs: z.string().optional(),
  createdAt: z.string().optional(),
  reviewResult: z
    .object({
      reviewAnswer: z.string(),
      reviewRejectType: z.string().optional(),
      moderationComment: z.string().optional(),
      clientComment: z.string().optional(),
    })
    .optional(),
})

type Verdict = Pick<KybNews, 'status' | 'reason' | 'isFinal'>
const undecided = (status: 'pending' | 'in_review'): Verdict => ({ status, reason: null, isFinal: false })

/** Other events, such as tags, personal data, levels or actions, do not change a verification. */
function verdictOf({ type, reviewResult }: z.infer<typeof webhookSchema>): Verdict | undefined {
  switch (type) {
    case 'applicantCreated':
    case 'applicantReset':
      return undecided('pending')
    case 'applicantPending':
    case 'applicantOnHold':
      return undecided('in_review')
    case 'applicantReviewed':
      return reviewed(reviewResult)
    default:
      return undefined
  }
}

const reasonLength = 500

/** Only GREEN approves and only RED rejects. `moderationComment` is for the applicant, `clientComment` is not. */
function reviewed(result: z.infer<typeof webhookSchema>['reviewResult']): Verdict | undefined {
  if (result?.reviewAnswer === 'GREEN') return { status: 'approved', reason: null, isFinal: false }
  if (result?.reviewAnswer !== 'RED') return undefined
  return {
    status: 'rejected',
    reason: result.moderationComment?.slice(0, reasonLength) ?? null,
    isFinal: result.reviewRejectType === 'FINAL',
  }
}

/** `2021-05-14 16:00:25.032`, with or without an offset; UTC if there is none. */
export function readMoment(text: string | undefined): Date | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)(?:Z|\+00:?00)?$/.exec(text ?? '')
  return match ? new Date(`${match[1]}T${match[2]}Z`) : undefined
}

export function toNews(body: unknown): KybNews | undefined {
  const webhook = webhookSchema.parse(body)
  const verdict = verdictOf(webhook)
  const at = readMoment(webhook.createdAtMs) ?? readMoment(webhook.createdAt)
  if (!verdict || !at) return undefined
  return {
    ...verdict,
    at,
    customerId: webhook.applicantId,
    orgId: webhook.externalUserId,
    dedupeKey: `${webhook.applicantId} ${webhook.type} ${at.toISOString()}`,
  }
}

import { z } from 'zod'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { hasHostName, hasLinkOrMarkup } from '../../../lib/text/plain-text.ts'
import { dateTime, ok, success, userId, uuid } from '../../../lib/requests/wire.ts'
import { priorities } from '../../people/notifications/rules.ts'
import type { ListedRequest, AnsweredRequest, VerificationOrder, VerificationResult } from './record.ts'
import { requestStatusAt } from './rules.ts'

const targetType = z.enum(['beneficiary', 'sender', 'both'])
const verificationType = z.enum(['bvn', 'nin'])
const target = z.enum(['sender', 'beneficiary'])

export const verificationBody = z
  .object({
    user_id: userId.meta({ description: 'The user who made the payment.' }),
    target_type: targetType,
    transaction_id: uuid,
    verification_type: verificationType,
    triggered_by: z.string().trim().min(1).max(255),
    beneficiary_id: uuid.optional(),
    sender_id: userId.optional(),
    message: z
      .string()
      .trim()
      .max(1000)
      .refine(
        (text) => !hasLinkOrMarkup(text) && !hasHostName(text),
        'must not contain a link, a host name or markup; put a space after every full stop',
      )
      .optional(),
    priority: z.enum(priorities).default('high'),
  })
  .check((context) => {
    const { target_type: type, beneficiary_id: beneficiary, sender_id: sender } = context.value
    const missing = [
      ...(type !== 'sender' && beneficiary === undefined ? ['beneficiary_id'] : []),
      ...(type !== 'beneficiary' && sender === undefined ? ['sender_id'] : []),
    ]
    for (const name of missing)
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: [name],
        message: `is required when target_type is ${type}`,
      })
  })

const result = z.object({
  target,
  message: z.string(),
  user_id: z.string(),
  request_id: z.string(),
  status: z.enum(['sent', 'failed']),
  success: z.boolean(),
})

export const verificationResponse = z
  .object({
    status: z.literal('success'),
    message: z.string(),
    target_type: targetType,
    verification_type: verificationType,
    transaction_id: uuid,
    request_id: z.string().optional(),
    results: z.array(result).optional(),
    all_success: z.boolean(),
  })
  .meta({ id: 'VerificationRequestResult' })

export const toOrder = (body: z.infer<typeof verificationBody>): VerificationOrder => ({
  userId: body.user_id,
  paymentId: body.transaction_id,
  verificationType: body.verification_type,
  triggeredBy: body.triggered_by,
  targets: [
    ...(body.target_type !== 'beneficiary' ? [{ target: 'sender' as const, id: body.sender_id ?? '' }] : []),
    ...(body.target_type !== 'sender'
      ? [{ target: 'beneficiary' as const, id: body.beneficiary_id ?? '' }]
      : []),
  ],
  message: body.message ?? '',
  priority: body.priority,
})

/** The specification has `results` for several targets and `request_id` for one. */
export function toVerificationResponse(
  body: z.infer<typeof verificationBody>,
  results: readonly VerificationResult[],
): z.input<typeof verificationResponse> {
  const isComplete = results.every(({ requestId }) => requestId !== undefined)
  return {
    status: 'success',
    message: isComplete ? 'The request is on its way.' : 'Not everybody could be notified.',
    target_type: body.target_type,
    verification_type: body.verification_type,
    transaction_id: body.transaction_id,
    ...(body.target_type === 'both'
      ? { results: results.map(toResult) }
      : { request_id: results[0]?.requestId ?? '' }),
    all_success: isComplete,
  }
}

const toResult = (one: VerificationResult): z.input<typeof result> => ({
  target: one.target,
  message: one.message,
  user_id: one.id,
  request_id: one.requestId ?? '',
  status: one.requestId === undefined ? 'failed' : 'sent',
  success: one.requestId !== undefined,
})

export const listRequestsQuery = z.object({
  transaction_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})
export const requestParams = z.object({ request_id: uuid })
export const tokenParams = z.object({ token: z.string().max(200) })
export const answerBody = z.object({ answer: z.string().max(100).default('') })

const request = z
  .object({
    request_id: uuid,
    transaction_id: uuid,
    target,
    user_id: z.string(),
    verification_type: verificationType,
    triggered_by: z.string(),
    requested_by: z.string(),
    status: z.enum(['open', 'answered', 'expired']),
    mail_status: z.enum(['pending', 'sending', 'sent', 'failed']),
    answered_at: dateTime.nullable(),
    expires_at: dateTime,
    created_at: dateTime,
  })
  .meta({ id: 'VerificationRequest' })

export const requestPage = success(z.array(request)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const requestResponse = success(request.extend({ answer: z.string().nullable() }))

const toRequestView = (row: ListedRequest, now: Date): z.input<typeof request> => ({
  request_id: row.requestId,
  transaction_id: row.paymentId,
  target: row.target,
  user_id: row.targetId,
  verification_type: row.verificationType,
  triggered_by: row.triggeredBy,
  requested_by: row.requestedBy,
  status: requestStatusAt(row, now),
  mail_status: request.shape.mail_status.parse(row.mailStatus),
  answered_at: row.answeredAt?.toISOString() ?? null,
  expires_at: row.expiresAt.toISOString(),
  created_at: row.createdAt.toISOString(),
})

export const toAnsweredView = (row: AnsweredRequest, now: Date): z.input<typeof requestResponse>['data'] => ({
  ...toRequestView(row, now),
  answer: row.answer,
})

export const toRequestPage = (page: Page<ListedRequest>, now: Date): z.input<typeof requestPage> => ({
  ...ok(
    'Verification requests, newest first.',
    page.items.map((row) => toRequestView(row, now)),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

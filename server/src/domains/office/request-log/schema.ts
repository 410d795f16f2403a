import { z } from 'zod'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, userId, uuid } from '../../../lib/requests/wire.ts'
import { statusClasses, type RequestEntry, type RequestFilters } from './record.ts'

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

export const listRequestsQuery = z.object({
  org_id: uuid.optional(),
  status_class: z.enum(statusClasses).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  route: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The pattern of the path.', example: '/v1/payments/:payment_id' }),
  api_key_id: uuid.optional(),
  user_id: userId.optional(),
  request_id: z.string().min(1).max(64).optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const requestEntry = z
  .object({
    entry_id: uuid,
    org_id: uuid,
    method: z.string(),
    route: z.string().meta({ description: 'The pattern of the path; values in it are not recorded.' }),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'The code of the error, where there was one.' }),
    duration_ms: z.number().meta({ format: 'decimal' }),
    request_id: z.string(),
    user_id: z.string(),
    credential: z.string(),
    api_key_id: uuid.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'RequestLogEntry' })

export const requestPage = success(z.array(requestEntry)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toFilters = (query: z.infer<typeof listRequestsQuery>): RequestFilters => ({
  statusClass: query.status_class,
  status: query.status,
  method: query.method,
  route: query.route,
  apiKeyId: query.api_key_id,
  userId: query.user_id,
  requestId: query.request_id,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
})

const toEntry = (entry: RequestEntry): z.input<typeof requestEntry> => ({
  entry_id: entry.entryId,
  org_id: entry.orgId,
  method: entry.method,
  route: entry.route,
  status: entry.status,
  code: entry.code,
  duration_ms: Math.round(entry.durationUs / 100) / 10,
  request_id: entry.requestId,
  user_id: entry.userId,
  credential: entry.credential,
  api_key_id: entry.apiKeyId,
  created_at: entry.createdAt.toISOString(),
})

export const toRequestPage = (page: Page<RequestEntry>): z.input<typeof requestPage> => ({
  ...ok('Requests of the last seven days, newest first.', page.items.map(toEntry)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

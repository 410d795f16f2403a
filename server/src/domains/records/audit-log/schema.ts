import { z } from 'zod'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, uuid, userId } from '../../../lib/requests/wire.ts'
import type { AuditFilters, NamedAuditRow } from './record.ts'

export const orgParams = z.object({ org_id: uuid })

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

export const listAuditLogQuery = z.object({
  limit: pageLimit,
  lastEvaluatedKey: z.string().max(1024).optional(),
  user_id: userId.optional(),
  action: z.string().max(100).optional(),
  resource_type: z.string().max(100).optional(),
  resource_id: z.string().max(255).optional(),
  from: moment.optional(),
  to: moment.optional(),
})

export const toFilters = (query: z.infer<typeof listAuditLogQuery>): AuditFilters => ({
  userId: query.user_id,
  action: query.action,
  resourceType: query.resource_type,
  resourceId: query.resource_id,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
})

const snapshot = z.record(z.string(), z.unknown()).nullable()

const auditEntry = z
  .object({
    audit_id: uuid,
    org_id: uuid,
    user_id: z.string(),
    user_name: z.string().nullable().meta({ description: 'Null when the user is no member any more.' }),
    credential: z.enum(['api_key', 'jwt', 'payment_link', 'session', 'system']),
    api_key_id: uuid.nullable(),
    action: z.string(),
    resource_type: z.string(),
    resource_id: z.string(),
    before: snapshot,
    after: snapshot,
    ip: z.string(),
    user_agent: z.string().nullable(),
    request_id: z.string(),
    created_at: dateTime,
  })
  .meta({ id: 'AuditEntry' })

export const auditLogPage = z.object({
  status: z.literal('success'),
  message: z.string(),
  data: z.array(auditEntry),
  meta: z.object({ count: z.int(), lastEvaluatedKey: z.string().nullable() }),
})

export const toAuditLogPage = (page: Page<NamedAuditRow>): z.input<typeof auditLogPage> => ({
  status: 'success',
  message: 'Audit log, newest first.',
  data: page.items.map(({ userName, ...row }) => ({
    ...row,
    user_name: userName,
    credential: auditEntry.shape.credential.parse(row.credential),
    before: snapshot.parse(row.before),
    after: snapshot.parse(row.after),
    created_at: row.created_at.toISOString(),
  })),
  meta: { count: page.items.length, lastEvaluatedKey: page.nextCursor },
})

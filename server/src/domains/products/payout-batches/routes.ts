import { Readable } from 'node:stream'
import type { App } from '../../../http/app.ts'
import { createUploadLimit } from '../../../http/limits/upload-limit.ts'
import { beginOnce } from '../../../http/idempotency/begin-once.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { csvText, csvType } from '../../../lib/text/csv.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { changeBatch, resumeBatch } from './change-batch.ts'
import { checkRows } from './check-rows.ts'
import { createBatch } from './create-batch.ts'
import { getBatch, listBatches } from './reads.ts'
import { exportResults, listRows } from './list-rows.ts'
import type { BatchDeps } from './record.ts'
import { approveBatch, rejectBatch } from './review-batch.ts'
import { rowsLimit } from './rules.ts'
import * as schema from './schema.ts'

const tags = ['Payout batches']

export function payoutBatchRoutes(app: App, deps: BatchDeps): void {
  createEndpoint(app, deps)
  readEndpoints(app, deps)
  resultEndpoint(app, deps)
  reviewEndpoints(app, deps)
  controlEndpoints(app, deps)
}

function createEndpoint(app: App, deps: BatchDeps): void {
  const limitUploads = createUploadLimit()
  app.post(
    '/v1/payouts/batches',
    {
      bodyLimit: schema.bodyBytesLimit,
      config: {
        access: { permission: 'payments:write' },
        control: 'two-approvals',
        bindsKey: true,
        takesCsv: rowsLimit,
        cost: schema.costOf,
      },
      onRequest: limitUploads,
      schema: {
        tags,
        operationId: 'payoutBatches.create',
        description:
          'With `dry_run=true` the errors of all rows are counted, the first 100 are listed, and nothing is stored (200). Otherwise the batch is stored whole or not at all (201) and its rows are sent in the background; a repeat with the same `Idempotency-Key` answers with the first batch.',
        summary: 'Check or create a batch of up to 10,000 payouts, as JSON or CSV',
        querystring: schema.createQuery,
        body: schema.createBody,
        response: { 200: schema.dryRunResponse, 201: schema.batchResponse, ...errors(409) },
      },
    },
    async (request, reply) => {
      const { caller, body, query } = request
      if (query.dry_run === 'true') {
        const { checked, ...found } = await checkRows(deps, caller, body)
        return reply.send(schema.toDryRun(body.rows.length, checked, found))
      }
      const ids = await beginOnce(request, reply, {
        begin: (claim) =>
          createBatch(deps, caller, {
            ...body,
            description: body.description ?? null,
            allowsDuplicate: body.allow_duplicate || query.allow_duplicate === 'true',
            claim,
          }),
        load: async (batchId) => ({ orgId: caller.orgId, batchId }),
      })
      return reply
        .status(201)
        .send(schema.toBatchResponse('The batch was stored.', await getBatch(deps, ids)))
    },
  )
}

function readEndpoints(app: App, deps: BatchDeps): void {
  app.get(
    '/v1/payouts/batches',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payoutBatches.list',
        description: 'Newest first, without progress; get one batch to see how far it is.',
        summary: 'List the payout batches of the organisation',
        querystring: schema.listBatchesQuery,
        response: { 200: schema.batchPage, ...errors() },
      },
    },
    async ({ caller, query }) => {
      const page = { limit: query.limit, cursor: query.last_evaluated_key }
      return schema.toBatchPage(await listBatches(deps, caller, { status: query.status, page }))
    },
  )
  app.get(
    '/v1/payouts/batches/:batch_id',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payoutBatches.get',
        description: '`progress` counts the rows by state and changes while the batch is sent.',
        summary: 'Get a payout batch with its totals and progress',
        params: schema.batchParams,
        response: { 200: schema.batchResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => answer(deps, caller, params.batch_id, 'The batch.'),
  )
  app.get(
    '/v1/payouts/batches/:batch_id/rows',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payoutBatches.listRows',
        description: 'A row has a `payment_id` as soon as it was sent. Rows are in the order of the file.',
        summary: 'List the rows of a payout batch with their payments, filtered by state',
        params: schema.batchParams,
        querystring: schema.listRowsQuery,
        response: { 200: schema.rowPage, ...errors(404) },
      },
    },
    async ({ caller, params, query }) => {
      const ids = { orgId: caller.orgId, batchId: params.batch_id }
      const page = { limit: query.limit, cursor: query.last_evaluated_key }
      return schema.toRowPage(await listRows(deps, ids, { state: query.state, page }))
    },
  )
}

function resultEndpoint(app: App, deps: BatchDeps): void {
  app.get(
    '/v1/payouts/batches/:batch_id/results.csv',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payoutBatches.downloadResults',
        description:
          'Streams one line for each row, with the state and id of its payment. It can be downloaded while the batch is still being sent.',
        summary: 'Download every row of a payout batch with its result as CSV',
        params: schema.batchParams,
        produces: ['text/csv'],
        response: { 200: schema.resultsFile, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const ids = { orgId: caller.orgId, batchId: params.batch_id }
      // Read before the response starts, so that an error is still rendered as JSON.
      await getBatch(deps, ids)
      async function* pages() {
        for await (const rows of exportResults(deps, ids)) yield rows.map(schema.toRow)
      }
      return reply
        .type(csvType)
        .header('content-disposition', `attachment; filename="batch-${ids.batchId}.csv"`)
        .send(Readable.from(csvText(schema.rowColumns, pages())))
    },
  )
}

function reviewEndpoints(app: App, deps: BatchDeps): void {
  app.post(
    '/v1/payouts/batches/:batch_id/approve',
    {
      config: { access: { permission: 'payouts:approve' }, control: 'two-approvals' },
      schema: {
        tags,
        operationId: 'payoutBatches.approve',
        description:
          'It takes two: a member with `payouts:approve` approves first, then an org-admin; neither has created the batch. They cover all rows, whose payments need none of their own. A row whose beneficiary was changed since then fails instead of being paid.',
        summary: 'Approve all payouts of a batch that another member created',
        params: schema.batchParams,
        body: schema.decisionBody,
        response: { 200: schema.batchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      await approveBatch(deps, caller, { batchId: params.batch_id, comments: body?.comments ?? null })
      return answer(deps, caller, params.batch_id, 'Your approval was recorded.')
    },
  )
  app.post(
    '/v1/payouts/batches/:batch_id/reject',
    {
      config: {
        access: { permission: 'payouts:approve' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'payoutBatches.reject',
        description: 'Ends the batch; no row of it is ever sent.',
        summary: 'Reject a batch that another member created',
        params: schema.batchParams,
        body: schema.decisionBody,
        response: { 200: schema.batchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      await rejectBatch(deps, caller, { batchId: params.batch_id, comments: body?.comments ?? null })
      return answer(deps, caller, params.batch_id, 'The batch was rejected.')
    },
  )
}

function controlEndpoints(app: App, deps: BatchDeps): void {
  app.post(
    '/v1/payouts/batches/:batch_id/pause',
    {
      config: {
        access: { permission: 'payments:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'payoutBatches.pause',
        description: 'Rows that are being sent go on to their end.',
        summary: 'Pause a batch: no further row is sent until it is resumed',
        params: schema.batchParams,
        response: { 200: schema.batchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await changeBatch(deps, caller, { batchId: params.batch_id, to: 'paused', verb: 'paused' })
      return answer(deps, caller, params.batch_id, 'The batch was paused.')
    },
  )
  app.post(
    '/v1/payouts/batches/:batch_id/resume',
    {
      config: {
        access: { permission: 'payments:write' },
        control: 'none: it goes on with what was approved',
      },
      schema: {
        tags,
        operationId: 'payoutBatches.resume',
        description: 'Goes on with the rows that were not sent; nothing is sent twice.',
        summary: 'Resume a paused batch with the rows that are not sent yet',
        params: schema.batchParams,
        response: { 200: schema.batchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await resumeBatch(deps, caller, { batchId: params.batch_id })
      return answer(deps, caller, params.batch_id, 'The batch was resumed.')
    },
  )
  app.post(
    '/v1/payouts/batches/:batch_id/cancel',
    {
      config: {
        access: { permission: 'payments:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'payoutBatches.cancel',
        description: 'Rows that were sent go on to their end. A canceled row is never sent.',
        summary: 'Cancel the rows of a batch that are not sent yet',
        params: schema.batchParams,
        response: { 200: schema.batchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await changeBatch(deps, caller, { batchId: params.batch_id, to: 'canceled', verb: 'canceled' })
      return answer(deps, caller, params.batch_id, 'What was not sent yet was canceled.')
    },
  )
}

const answer = async (deps: BatchDeps, { orgId }: Caller, batchId: string, message: string) =>
  schema.toBatchResponse(message, await getBatch(deps, { orgId, batchId }))

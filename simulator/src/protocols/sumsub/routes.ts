import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import type { Route } from '../../protocol.ts'
import { findByExternalId, newApplicantId, presentApplicant } from './applicants.ts'
import type { Applicant, Sumsub } from './applicants.ts'
import { announce } from './events.ts'
import { failure } from './signatures.ts'
import { decideOnPage, showPage } from './verification-page.ts'

const companySchema = z.object({ companyName: z.string().min(1), country: z.string().length(3) })
const creationSchema = z.object({
  externalUserId: z.string().min(1).max(512),
  type: z.enum(['individual', 'company']).default('individual'),
  fixedInfo: z.object({ companyInfo: companySchema.optional() }).optional(),
  info: z.object({ companyInfo: companySchema.optional() }).optional(),
})
const beneficiarySchema = z.object({
  types: z.array(z.string()).min(1),
  beneficiaryInfo: z.object({ firstName: z.string(), lastName: z.string() }),
})
const linkSchema = z.object({ levelName: z.string(), userId: z.string(), ttlInSecs: z.int().optional() })
const verdictSchema = z.object({
  reviewAnswer: z.enum(['GREEN', 'RED']),
  reviewRejectType: z.enum(['RETRY', 'FINAL']).optional(),
  moderationComment: z.string().optional(),
})

export const createRoutes = (sumsub: Sumsub): readonly Route[] => [
  {
    method: 'POST',
    path: '/sumsub/resources/applicants',
    on: 'account',
    handle: (call) => create(sumsub, call),
  },
  {
    method: 'GET',
    path: '/sumsub/resources/applicants/:applicantId/one',
    on: 'inquire',
    handle: (call) => found(sumsub, call, (applicant) => json(200, presentApplicant(applicant))),
  },
  {
    method: 'POST',
    path: '/sumsub/resources/applicants/:applicantId/info/idDoc',
    on: 'account',
    handle: (call) => found(sumsub, call, (applicant) => addDocument(sumsub, call, applicant)),
  },
  {
    method: 'POST',
    path: '/sumsub/resources/applicants/:applicantId/fixedInfo/companyInfo/beneficiaries',
    on: 'account',
    handle: (call) => found(sumsub, call, (applicant) => addBeneficiary(sumsub, call, applicant)),
  },
  {
    method: 'POST',
    path: '/sumsub/resources/applicants/:applicantId/status/pending',
    on: 'account',
    handle: (call) => found(sumsub, call, (applicant) => requestCheck(sumsub, applicant)),
  },
  {
    method: 'POST',
    path: '/sumsub/resources/applicants/:applicantId/status/testCompleted',
    on: 'account',
    handle: (call) => found(sumsub, call, (applicant) => review(sumsub, applicant, call.payload)),
  },
  {
    method: 'POST',
    path: '/sumsub/resources/sdkIntegrations/levels/-/websdkLink',
    on: 'page',
    handle: (call) => link(sumsub, call),
  },
  {
    method: 'GET',
    path: '/sumsub/websdk/:applicantId',
    on: 'page',
    open: true,
    handle: (call) => showPage(sumsub, call),
  },
  {
    method: 'POST',
    path: '/sumsub/websdk/:applicantId',
    on: 'page',
    open: true,
    handle: (call) => decideOnPage(sumsub, call),
  },
]

async function create(sumsub: Sumsub, call: Call): Promise<Answer> {
  const levelName = call.query['levelName']
  const body = creationSchema.safeParse(call.payload)
  if (levelName === undefined) return failure(400, 'levelName is required')
  if (!body.success) return failure(400, z.prettifyError(body.error))
  const { externalUserId, type, fixedInfo, info } = body.data
  const known = findByExternalId(sumsub, call.account.name, externalUserId)
  if (known)
    return failure(409, `Applicant with external user id '${externalUserId}' already exists: ${known.id}`)
  const applicant: Applicant = {
    id: newApplicantId(),
    account: call.account.name,
    externalUserId,
    levelName,
    type,
    companyName: (fixedInfo?.companyInfo ?? info?.companyInfo)?.companyName ?? '',
    createdAt: sumsub.kit.clock.now().toISOString(),
    documents: 0,
    beneficiaries: 0,
    reviewStatus: 'init',
  }
  sumsub.applicants.put(applicant.id, applicant)
  await announce(sumsub, applicant, 'applicantCreated')
  return json(201, presentApplicant(applicant))
}

const externalIdPattern = /^-;externalUserId=(.+)$/

function found(
  sumsub: Sumsub,
  call: Call,
  use: (applicant: Applicant) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const name = call.params['applicantId'] ?? ''
  const externalId = externalIdPattern.exec(name)?.[1]
  const applicant =
    externalId === undefined
      ? sumsub.applicants.get(name)
      : findByExternalId(sumsub, call.account.name, externalId)
  if (applicant === undefined || applicant.account !== call.account.name)
    return failure(404, 'Applicant not found')
  return use(applicant)
}

/** The content of one part of a multipart body. */
function partNamed(name: string, text: string): string | undefined {
  const [, part] = text.split(`name="${name}"`, 2)
  const start = part?.indexOf('\r\n\r\n') ?? -1
  const end = part?.indexOf('\r\n--', start + 4) ?? -1
  return start === -1 || end === -1 ? undefined : part?.slice(start + 4, end)
}

function addDocument(sumsub: Sumsub, call: OpenCall, applicant: Applicant): Answer {
  const text = call.rawBody.toString('latin1')
  const metadata = partNamed('metadata', text) ?? ''
  const isComplete = metadata.includes('"idDocType"') && metadata.includes('"country"')
  if (!isComplete || !text.includes('name="content"'))
    return failure(400, 'idDocType and country are required')
  sumsub.applicants.put(applicant.id, { ...applicant, documents: applicant.documents + 1 })
  return json(200, JSON.parse(metadata), { 'x-image-id': String(applicant.documents + 1) })
}

function addBeneficiary(sumsub: Sumsub, call: OpenCall, applicant: Applicant): Answer {
  const body = beneficiarySchema.safeParse(call.payload)
  if (!body.success) return failure(400, z.prettifyError(body.error))
  sumsub.applicants.put(applicant.id, { ...applicant, beneficiaries: applicant.beneficiaries + 1 })
  return json(200, { id: newApplicantId(), types: body.data.types })
}

async function requestCheck(sumsub: Sumsub, applicant: Applicant): Promise<Answer> {
  const { reviewResult: _before, ...rest } = applicant
  const pending: Applicant = { ...rest, reviewStatus: 'pending' }
  sumsub.applicants.put(applicant.id, pending)
  await announce(sumsub, pending, 'applicantPending')
  return json(200, { ok: 1 })
}

/** Sumsub's sandbox call to simulate the result of a review. */
async function review(sumsub: Sumsub, applicant: Applicant, payload: unknown): Promise<Answer> {
  const verdict = verdictSchema.safeParse(payload)
  if (!verdict.success) return failure(400, z.prettifyError(verdict.error))
  const reviewed: Applicant = { ...applicant, reviewStatus: 'completed', reviewResult: verdict.data }
  sumsub.applicants.put(applicant.id, reviewed)
  await announce(sumsub, reviewed, 'applicantReviewed')
  return json(200, { ok: 1 })
}

function link(sumsub: Sumsub, call: Call): Answer {
  const body = linkSchema.safeParse(call.payload)
  const applicant = body.success && findByExternalId(sumsub, call.account.name, body.data.userId)
  if (!applicant) return failure(400, 'userId and levelName of an applicant are required')
  return json(200, { url: `${sumsub.kit.publicUrl()}/sumsub/websdk/${applicant.id}` })
}

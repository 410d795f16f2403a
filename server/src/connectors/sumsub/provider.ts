import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { equalInConstantTime } from '../../lib/crypto/crypto.ts'
import type { HttpClient } from '../kit/http-client.ts'
import type { KybApplication, KybDocument, KybHeaders, KybProvider, KybStart } from '../kit/kyb-provider.ts'
import { createSumsubClient, jsonBody, type SumsubClient, type SumsubOptions } from './client.ts'
import { alpha3, beneficiary, companyInfo, toNews } from './mapping.ts'

const applicantSchema = z.object({ id: z.string().min(1).max(100) })
const linkSchema = z.object({ url: z.url({ protocol: /^https?$/ }) })

export function createSumsub(options: SumsubOptions, http: HttpClient, clock: Clock): KybProvider {
  const client = createSumsubClient(options, http, clock)
  return {
    name: 'sumsub',
    start: (application) =>
      start(client, options, application).catch((error: unknown) => {
        if (error instanceof Interruption) return error.start
        throw error
      }),
    verifyWebhook: (request) => isSigned(options.webhookSecrets, request),
    readWebhook: (rawBody) => toNews(JSON.parse(rawBody.toString('utf8'))),
  }
}

/** Each step is idempotent because Sumsub merges known data, so an interrupted start is simply repeated. */
async function start(
  client: SumsubClient,
  options: SumsubOptions,
  application: KybApplication,
): Promise<KybStart> {
  const customerId = await openApplicant(client, options, application)
  const applicant = `/resources/applicants/${encodeURIComponent(customerId)}`
  for (const person of application.people)
    await handled(
      client({
        method: 'POST',
        path: `${applicant}/fixedInfo/companyInfo/beneficiaries`,
        body: jsonBody(beneficiary(person)),
      }),
    )
  for (const document of application.documents)
    await handled(client({ method: 'POST', path: `${applicant}/info/idDoc`, body: documentForm(document) }))
  if (application.isComplete)
    await handled(client({ method: 'POST', path: `${applicant}/status/pending`, body: jsonBody({}) }))
  const link = await handled(
    client({
      method: 'POST',
      path: '/resources/sdkIntegrations/levels/-/websdkLink',
      body: jsonBody({
        levelName: options.levelName,
        userId: application.orgId,
        ttlInSecs: options.linkLifetimeSeconds,
      }),
    }),
  )
  return { kind: 'started', customerId, verificationUrl: read(linkSchema, link).url }
}

/** 409: the organisation already has one, from an earlier attempt or a rejected application. */
async function openApplicant(
  client: SumsubClient,
  options: SumsubOptions,
  { orgId, company }: KybApplication,
): Promise<string> {
  const created = await client({
    method: 'POST',
    path: `/resources/applicants?levelName=${encodeURIComponent(options.levelName)}`,
    body: jsonBody({
      externalUserId: orgId,
      type: 'company',
      [options.companyInfoIn]: { companyInfo: companyInfo(company) },
    }),
  })
  if (created.kind === 'refused' && created.status === 409) {
    const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(orgId)}/one`
    return read(applicantSchema, await handled(client({ method: 'GET', path }))).id
  }
  return read(applicantSchema, await handled(Promise.resolve(created))).id
}

/** Ends a start early with this result. */
class Interruption extends Error {
  readonly start: KybStart
  constructor(outcome: KybStart) {
    super(outcome.kind)
    this.start = outcome
  }
}

async function handled(reply: ReturnType<SumsubClient>): Promise<unknown> {
  const result = await reply
  if (result.kind === 'handled') return result.body
  if (result.kind === 'unavailable') throw new Interruption(result)
  throw new Interruption({ kind: 'refused', reason: `HTTP ${result.status}` })
}

function read<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const answer = schema.safeParse(body)
  if (!answer.success)
    throw new Interruption({ kind: 'unavailable', reason: 'the answer has an unexpected form' })
  return answer.data
}

/** A multipart form with the document's metadata and its bytes. */
function documentForm(document: KybDocument): { contentType: string; bytes: Buffer } {
  const boundary = randomUUID()
  const metadata = { idDocType: document.type, country: alpha3(document.country) }
  const bytes = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify(metadata)}\r\n` +
        `--${boundary}\r\ncontent-disposition: form-data; name="content"; filename="${document.fileName}"\r\n` +
        `content-type: ${document.contentType}\r\n\r\n`,
    ),
    document.content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** SHA-1, which Sumsub still offers, is refused. Operators choose SHA-256 or SHA-512 in the webhook manager. */
const digests: ReadonlyMap<string, string> = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
])

function isSigned(secrets: readonly string[], request: { headers: KybHeaders; rawBody: Buffer }): boolean {
  const algorithm = digests.get(String(request.headers['x-payload-digest-alg']))
  const given = request.headers['x-payload-digest']
  if (algorithm === undefined || typeof given !== 'string') return false
  return secrets.some((secret) =>
    equalInConstantTime(
      Buffer.from(given, 'hex'),
      createHmac(algorithm, secret).update(request.rawBody).digest(),
    ),
  )
}

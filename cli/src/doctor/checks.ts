import { ApiError, ConnectionError, type Switchyard } from '@switchyard/sdk'
import type { Io } from '../io.ts'
import type { ChosenProfile } from '../profiles/choose-profile.ts'
import { clientOf } from '../session.ts'

/** The result of one check; a failed check names the cause and the fix in one line. */
interface Finding {
  readonly check: 'address' | 'tls' | 'clock' | 'key' | 'permissions' | 'webhooks'
  readonly isGood: boolean
  readonly text: string
}

const timeoutMs = 10_000
/** Receivers refuse signatures whose timestamp is off by five minutes, so one minute is worth a warning. */
const clockToleranceMs = 60_000
const failedDeliveries = 100

const neededPermissions: Readonly<Record<string, string>> = {
  'payments:read': 'payments and transactions',
  'payments:write': 'payments initiate, trigger',
  'webhooks:read': 'listen, events tail',
}

const tlsReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it on the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; check the host in the address',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed; point NODE_EXTRA_CA_CERTS to it if it is yours',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate chain has a root that is not trusted here; point NODE_EXTRA_CA_CERTS to the root',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate chain is not complete; serve the intermediate certificate, or point NODE_EXTRA_CA_CERTS to it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the issuer of its certificate is not trusted here; point NODE_EXTRA_CA_CERTS to the issuer',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port; use http:// or another port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port; use http:// or another port',
  EPROTO: 'it does not speak TLS on this port; use http:// or another port',
}

/** Runs the checks in order, and stops when the remaining ones cannot run. */
export async function* diagnose(io: Io, profile: ChosenProfile): AsyncGenerator<Finding, void> {
  const reached = await checkAddress(io, profile.base_url)
  yield* reached.findings
  if (!reached.date) return
  yield checkClock(io, reached.date)
  const client = clientOf(io, profile, { maxRetries: 0 })
  const { finding, permissions } = await checkKey(client, profile)
  yield finding
  if (!permissions) return
  yield checkPermissions(permissions)
  if (permissions.includes('webhooks:read')) yield await checkEndpoints(client)
}

interface AddressCheck {
  readonly findings: readonly Finding[]
  /** The server's time; undefined if the server was not reached. */
  readonly date?: string
}

async function checkAddress(io: Io, baseUrl: string): Promise<AddressCheck> {
  try {
    const response = await io.fetch(`${baseUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isOurs = response.ok && (await response.text()).includes('"status"')
    if (!isOurs)
      return {
        findings: [
          bad(
            'address',
            `${baseUrl} responds, but not like Switchyard (status ${response.status}); check the address.`,
          ),
        ],
      }
    const secured = baseUrl.startsWith('https:') ? [good('tls', 'the certificate is trusted')] : []
    return { findings: [good('address', baseUrl), ...secured], date: response.headers.get('date') ?? '' }
  } catch (error) {
    return { findings: [connectionFinding(baseUrl, codeOf(error))] }
  }
}

function connectionFinding(baseUrl: string, code: string): Finding {
  const reason = tlsReasons[code]
  if (reason !== undefined) return bad('tls', `${baseUrl} can be reached, but ${reason}.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return bad(
      'address',
      `The host ${new URL(baseUrl).hostname} does not exist; correct the address with switchyard login.`,
    )
  if (code === 'ECONNREFUSED')
    return bad(
      'address',
      `Nothing is listening at ${baseUrl}; start the server (npm run dev) or check the address.`,
    )
  return bad(
    'address',
    `${baseUrl} does not respond (${code}); check the address, the firewall and any proxy.`,
  )
}

function checkClock(io: Io, date: string): Finding {
  const offsetMs = io.now().getTime() - Date.parse(date)
  if (Number.isNaN(offsetMs)) return good('clock', 'the server did not send its time')
  if (Math.abs(offsetMs) <= clockToleranceMs) return good('clock', 'within a minute of the server')
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  return bad(
    'clock',
    `The clock of this machine is ${Math.round(Math.abs(offsetMs) / 1_000)} s ${direction} the server, so signatures are refused; turn on NTP (timedatectl set-ntp true).`,
  )
}

async function checkKey(
  client: Switchyard,
  profile: ChosenProfile,
): Promise<{ finding: Finding; permissions?: readonly string[] }> {
  try {
    const { email, role, permissions } = await client.users.me()
    return { finding: good('key', `${email}, ${role}`), permissions }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      return {
        finding: bad(
          'key',
          `The key of ${profile.name} is unknown, revoked or expired; create a new one and run switchyard login.`,
        ),
      }
    if (error instanceof ApiError || error instanceof ConnectionError)
      return { finding: bad('key', `The key could not be checked: ${error.message}`) }
    throw error
  }
}

function checkPermissions(permissions: readonly string[]): Finding {
  const missing = Object.entries(neededPermissions).filter(([name]) => !permissions.includes(name))
  if (missing.length === 0)
    return good('permissions', `${permissions.length}, including all that the command line needs`)
  const names = missing.map(([name, use]) => `${name} (${use})`).join(', ')
  return bad(
    'permissions',
    `The key lacks ${names}; an administrator can grant it with switchyard permissions grant.`,
  )
}

async function checkEndpoints(client: Switchyard): Promise<Finding> {
  const endpoints = await client.webhooks.list()
  const disabled = endpoints.find(({ status }) => status === 'disabled')
  if (disabled)
    return bad(
      'webhooks',
      `The endpoint ${disabled.endpoint_url} was disabled because it accepted no deliveries; fix it, then run switchyard webhooks update ${disabled.webhook_id} -d status=active.`,
    )
  for (const { webhook_id: id, endpoint_url: url, status } of endpoints.filter(
    (one) => one.status === 'active',
  )) {
    const newest = await client.webhooks.listDeliveries(id, { limit: failedDeliveries }).firstPage()
    const tried = newest.data.filter(({ attempts }) => attempts > 0)
    const last = tried[0]
    const isDead = last !== undefined && tried.every((one) => one.status !== 'succeeded')
    if (isDead && status === 'active')
      return bad(
        'webhooks',
        `The endpoint ${url} accepts no deliveries (last response: ${last.last_response_status ?? 'none'}); fix it, then run switchyard webhooks recover ${id} -d since=${last.created_at}.`,
      )
  }
  return good(
    'webhooks',
    endpoints.length === 0 ? 'no endpoints' : `${endpoints.length} endpoints, none of them failing`,
  )
}

const good = (check: Finding['check'], text: string): Finding => ({ check, isGood: true, text })
const bad = (check: Finding['check'], text: string): Finding => ({ check, isGood: false, text })

/** The code of the innermost cause, because fetch wraps connection errors. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  if (error.cause instanceof Error) return codeOf(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

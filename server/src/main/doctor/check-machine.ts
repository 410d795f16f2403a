import { statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { connect } from 'node:tls'
import { endpointOf, reasonOf } from '../watch-dependencies.ts'
import { failed, ok, warning, type Check, type Finding } from './record.ts'

const oldestNode = 24
const leastFreeShare = 0.1
const answerTimeoutMs = 3_000
const dayMs = 24 * 60 * 60_000
const warnDays = 21
const gigabyte = 2 ** 30

export const checkMachine: Check = async () => [
  nodeFinding(process.versions.node),
  await diskFinding(tmpdir()),
]

export const nodeFinding = (version: string): Finding =>
  Number(version.split('.')[0]) >= oldestNode
    ? ok('node', version)
    : failed('node', version, `Install Node ${oldestNode} or newer.`)

async function diskFinding(path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(path)
  const share = bavail / blocks
  const detail = `${((bavail * bsize) / gigabyte).toFixed(1)} GB free at ${path} (${Math.round(share * 100)} %)`
  return share > leastFreeShare
    ? ok('disk', detail)
    : warning('disk', detail, 'Make room here, and check the disks of Postgres and of the engine.')
}

/** The certificates of everything that is reached over TLS. */
export const checkCertificates: Check = ({ config }) => {
  const urls = {
    PUBLIC_URL: config.PUBLIC_URL,
    JWT_JWKS_URL: config.JWT_JWKS_URL,
    RATE_FEED_URL: config.RATE_FEED_URL,
    SANCTIONS_YENTE_URL: config.SANCTIONS_YENTE_URL,
    SCREENER_URL: config.SCREENER_URL,
    SMTP_URL: config.SMTP_URL,
    WALLET_SIGNER_URL: config.WALLET_SIGNER_URL,
  }
  const secure = Object.entries(urls).filter(([, url]) => /^(?:https|smtps):/.test(url ?? ''))
  return Promise.all(secure.map(([name, url]) => certificateFinding(name, url ?? '')))
}

async function certificateFinding(name: string, url: string): Promise<Finding> {
  const check = `certificate ${name}`
  const { hostname, port } = endpointOf(url)
  try {
    return judgeCertificate(check, hostname, await expiryOf(hostname, port))
  } catch (error) {
    const fix = `Install a certificate for ${hostname} that this machine trusts.`
    return failed(check, `${hostname}:${port} is not trusted (${reasonOf(error)})`, fix)
  }
}

export function judgeCertificate(check: string, hostname: string, expiresAt: Date): Finding {
  const days = Math.floor((expiresAt.getTime() - Date.now()) / dayMs)
  const detail = `${hostname} is valid for ${days} more days`
  return days >= warnDays
    ? ok(check, detail)
    : warning(check, detail, `Renew the certificate of ${hostname}.`)
}

function expiryOf(hostname: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port, ...(isIP(hostname) === 0 && { servername: hostname }) })
    socket.setTimeout(answerTimeoutMs, () =>
      socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    )
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
  })
}

import { createHash, createHmac } from 'node:crypto'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

interface UnsignedRequest {
  url: URL
  /** By lower-case name; all of them are signed. */
  headers: Readonly<Record<string, string>>
  body: string
}

interface SigningScope {
  region: string
  service: string
  now: Date
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The headers of a POST, signed as AWS Signature Version 4 prescribes. The path must need no encoding. */
export function signRequest(
  { url, headers, body }: UnsignedRequest,
  credentials: AwsCredentials,
  { region, service, now }: SigningScope,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': time,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const names = Object.keys(signed).sort()
  const canonicalRequest = [
    'POST',
    url.pathname,
    '',
    ...names.map((name) => `${name}:${(signed[name] ?? '').trim()}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = [algorithm, time, scope, sha256(canonicalRequest)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (parent, part) => mac(parent, part),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  )
  const signature = mac(key, toSign).toString('hex')
  return {
    ...signed,
    authorization: `${algorithm} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

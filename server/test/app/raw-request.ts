import { connect } from 'node:net'
import type { Json } from './test-app.ts'

export type HeaderLine = readonly [name: string, value: string]

interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
  body: Json
}

/** Sends a request byte by byte, with headers that an HTTP client would refuse: repeated, blank or malformed. */
export function sendRaw(
  url: string,
  request: { method?: string; path: string; headers: readonly HeaderLine[]; body?: string },
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url)
  const lines = [
    `${request.method ?? 'GET'} ${request.path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ]
  const text = `${lines.join('\r\n')}\r\n\r\n${request.body ?? ''}`
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString())))
  })
}

function parseAnswer(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = answer.slice(0, end).split('\r\n')
  const text = answer.slice(end + 4)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const isJson = headers['content-type']?.includes('json') === true
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

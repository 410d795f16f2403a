import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

export const dist = join(import.meta.dirname, '../dist')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
}

export interface ServedSite {
  origin: string
  close(): void
}

/** Serves the built site on a free port of this machine. */
export async function serveSite(): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path)
    if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile())
      return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening, so it has an address
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

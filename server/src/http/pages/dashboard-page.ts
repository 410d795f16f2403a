import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { distDirectory } from '@switchyard/dashboard/build/dist-directory.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import type { App } from '../app.ts'
import { setPageHeaders } from './customer-page.ts'

type Encoding = 'br' | 'gzip'

interface BuiltFile {
  type: string
  body: Buffer
  /** Compressed once, when a browser asks for it first. */
  compressed: Map<Encoding, Promise<Buffer>>
}

interface BuiltFiles {
  page: BuiltFile
  assets: Map<string, BuiltFile>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const yearSeconds = 31_536_000

const publicRoute = { access: { permission: 'public' as const } }

/**
 * The dashboard is one page for every path below /dashboard; it asks the API for everything that it shows. Its files
 * have a hash of their content in their names, so browsers keep them.
 */
export function registerDashboard(app: App, directory = distDirectory): void {
  const files = fileReader(directory)
  const sendIndex = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendFile(request, setPageHeaders(reply).header('cache-control', 'no-cache'), files().page)
  app.get(
    '/dashboard',
    { config: publicRoute, schema: { hide: true, summary: 'Serve the dashboard' } },
    sendIndex,
  )
  app.get(
    '/dashboard/*',
    { config: publicRoute, schema: { hide: true, summary: 'Serve a page of the dashboard' } },
    sendIndex,
  )
  app.get(
    '/dashboard/assets/:file',
    {
      config: publicRoute,
      schema: {
        hide: true,
        summary: 'Serve a script, style sheet or picture of the dashboard',
        params: z.object({ file: z.string() }),
      },
    },
    async (request, reply) => {
      const asset = files().assets.get(request.params.file)
      if (!asset) throw notFound('This file')
      reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      return sendFile(request, reply, asset)
    },
  )
}

/** Reads the files at the first request. Until they have been built, each request looks again. */
function fileReader(directory: string): () => BuiltFiles {
  let known: BuiltFiles | undefined
  return () => {
    if (!known && !existsSync(join(directory, 'index.html')))
      throw new AppError(
        'NOT_FOUND',
        404,
        'The dashboard is not built. Build it with `npm run build -w dashboard`.',
      )
    known ??= readFiles(directory)
    return known
  }
}

function readFiles(directory: string): BuiltFiles {
  const read = (path: string): BuiltFile => ({
    type: types[extname(path)] ?? 'application/octet-stream',
    body: readFileSync(join(directory, path)),
    compressed: new Map(),
  })
  const names = readdirSync(join(directory, 'assets'))
  return {
    page: read('index.html'),
    assets: new Map(names.map((name) => [name, read(join('assets', name))])),
  }
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find((name) => new Set(accepted.split(/[ ,;]/)).has(name))
  reply.header('vary', 'accept-encoding').type(file.type)
  if (!encoding) return reply.send(file.body)
  const body = file.compressed.get(encoding) ?? compress[encoding](file.body)
  file.compressed.set(encoding, body)
  return reply.header('content-encoding', encoding).send(await body)
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assetsFor, findAsset } from '../assets.ts'
import { languages } from '../languages.ts'
import { qrCode } from '../qr-code.ts'
import { renderPage } from '../render-page.ts'
import { samplePage, sampleScenes } from './sample-pages.ts'

interface SceneServer {
  url: string
  close(): void
}

interface SceneServerOptions {
  color: string | null
  /** A placeholder for the merchant's logo. */
  logo?: string
}

/**
 * Serves the sample scenes without an API: `/ar/otp` is the scene `otp` in Arabic, and `/sheet?of=ar/otp` a page with
 * frames, so that one page load shows many scenes.
 */
export async function startSceneServer({ color, logo }: SceneServerOptions): Promise<SceneServer> {
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://localhost')
    const [, first = '', second = ''] = address.pathname.split('/').map(decodeURIComponent)
    const send = (type: string, body: string) =>
      response.setHeader('content-type', type).setHeader('cache-control', 'max-age=3600').end(body)
    const asset = first === 'pay-assets' ? findAsset(second) : undefined
    if (asset) return send(asset.type, asset.body)
    if (first === 'sheet') return send('text/html; charset=utf-8', sheetOf(address.searchParams))
    if (first === 'logo' && logo !== undefined) return send('image/svg+xml', logo)
    if (first === 'pay') return send('image/svg+xml', qrCode('https://pay.example.com/pay/kilimani-books-7'))
    const scene = sampleScenes[second]
    const language = languages.find((known) => known === first)
    if (!scene || !language) return response.writeHead(404).end()
    const merchant = { name: 'Kilimani Books', logoUrl: logo === undefined ? undefined : '/logo', color }
    const page = samplePage(scene, language, { merchant })
    return send('text/html; charset=utf-8', renderPage(page, assetsFor(color)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this type.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Frames side by side; `fitFrames` sets their sizes. */
function sheetOf(query: URLSearchParams): string {
  const frames = query.getAll('of').map((path) => {
    const source = path.split('/').map(encodeURIComponent).join('/')
    return `<figure><figcaption>${path}</figcaption><div><iframe title="${path}" src="/${source}"></iframe></div></figure>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Scenes</title>
<style>body{margin:8px;display:flex;flex-wrap:wrap;align-items:start;gap:8px;font:12px sans-serif;background:#999}
figure{margin:0}div{overflow:hidden}iframe{border:0;transform-origin:0 0}</style>${frames.join('')}`
}

interface Fit {
  width: number
  /** The text size as a percentage. */
  text?: string | undefined
  scale?: number
}

/** An expression to run in a page of frames: sizes each frame and returns those whose content is too wide. */
export const fitFrames = ({ width, text = '100%', scale = 1 }: Fit): string => `(() => {
  const tooWide = []
  for (const frame of document.querySelectorAll('iframe')) {
    const { documentElement: root, body } = frame.contentDocument
    root.style.fontSize = '${text}'
    body.style.minHeight = '0'
    Object.assign(frame.style, { width: '${width}px', height: '10px', transform: 'scale(${scale})' })
    const height = Math.ceil(root.getBoundingClientRect().height)
    frame.style.height = height + 'px'
    Object.assign(frame.parentElement.style, { width: '${width * scale}px', height: height * ${scale} + 'px' })
    if (root.scrollWidth > ${width}) tooWide.push(frame.title + ' needs ' + root.scrollWidth + ' of ${width}')
  }
  return tooWide
})()`

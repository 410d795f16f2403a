import { createServer } from 'node:http'
import { constructEvent, WebhookVerificationError } from '@switchyard/sdk'

/**
 * Prints one line for each event that Switchyard signed, and rejects everything else. A real shop also has to handle an
 * event only once although it may arrive twice, as `node-shop` shows.
 */
const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env

createServer((request, response) => {
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      try {
        const {
          event_id: id,
          event_type: type,
          data,
        } = constructEvent(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET)
        console.log(JSON.stringify({ id, type, data }))
        response.writeHead(204).end()
      } catch (error) {
        response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
      }
    })
}).listen(Number(PORT), '127.0.0.1', () => console.log(`ready on ${PORT}`))

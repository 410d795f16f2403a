import { randomBytes } from 'node:crypto'

interface FilePart {
  name: string
  fileName: string
  contentType: string
  bytes: Buffer
}

/** A multipart body of some fields and one file. The file's name has no quotes or line breaks. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
): { contentType: string; bytes: Buffer } {
  const boundary = `switchyard-${randomBytes(16).toString('hex')}`
  const head = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const safeName = file.fileName.replaceAll(/[^\w .()-]/g, '_')
  const fileHead = `--${boundary}\r\ncontent-disposition: form-data; name="${file.name}"; filename="${safeName}"\r\ncontent-type: ${file.contentType}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(head.join('') + fileHead),
      file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

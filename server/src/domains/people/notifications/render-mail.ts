import { escapeHtml } from '../../../lib/text/html.ts'
import type { Mail } from '../../../lib/net/mailer.ts'
import { composeNotice } from './compose-notice.ts'
import { isImportant } from './rules.ts'
import type { Notice } from './write-greeting.ts'

interface MailSource {
  template: string
  language: string
  priority: string
  recipient: string
  variables: Record<string, string>
}

/** Renders the notice as plain text and as HTML. */
export function renderMail(notification: MailSource, url: string | undefined): Omit<Mail, 'messageId'> {
  const notice = composeNotice(notification)
  return {
    to: notification.recipient,
    subject: notice.subject,
    text: textPart(notice, url),
    html: htmlPart(notice, notification.language, url),
    isImportant: isImportant(notification.priority),
  }
}

const textPart = (notice: Notice, url: string | undefined): string =>
  [
    notice.greeting,
    ...notice.paragraphs.slice(0, 1),
    ...(notice.rows ? [notice.rows.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...notice.paragraphs.slice(1),
    ...(url === undefined ? [] : [`${notice.action ?? 'Link'}: ${url}`]),
  ].join('\n\n') + '\n'

/** Inline styles only, since mail clients drop others, and no images, since remote images track the reader. */
const htmlPart = (notice: Notice, language: string, url: string | undefined): string =>
  `<!doctype html><html lang="${escapeHtml(language)}"${language === 'ar' ? ' dir="rtl"' : ''}><head><meta charset="utf-8"><title>${escapeHtml(notice.subject)}</title></head>
<body style="margin:0;background:#f2f4f8;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2330">
<div style="max-width:560px;margin:0 auto;padding:32px 16px">
<div style="background:#ffffff;border-radius:8px;padding:32px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(notice.subject)}</h1>
${[notice.greeting, ...notice.paragraphs.slice(0, 1)].map(paragraph).join('\n')}
${notice.rows ? tablePart(notice.rows) : ''}
${notice.paragraphs.slice(1).map(paragraph).join('\n')}
${url === undefined ? '' : buttonPart(notice.action ?? url, url)}
</div>
<p style="margin:16px 0 0;font-size:13px;color:#5b6577;text-align:center">Switchyard</p>
</div></body></html>`

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

const tablePart = (rows: NonNullable<Notice['rows']>): string =>
  `<table style="width:100%;margin:0 0 16px;border-collapse:collapse">${rows
    .map(
      ([label, value]) =>
        `<tr><th style="padding:8px 0;border-top:1px solid #d8dde3;text-align:start;font-weight:400;color:#5b6577;vertical-align:top">${escapeHtml(label)}</th><td style="padding:8px 0 8px 16px;border-top:1px solid #d8dde3;text-align:start;font-weight:600"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
    )
    .join('')}</table>`

const buttonPart = (label: string, url: string): string =>
  `<p style="margin:24px 0 16px"><a href="${escapeHtml(url)}" style="display:inline-block;background:#1a4fd6;color:#ffffff;text-decoration:none;padding:12px 20px;border-radius:6px">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:13px;color:#5b6577;word-break:break-all">${escapeHtml(url)}</p>`

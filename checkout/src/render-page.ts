import { darkGround, lightGround } from './color.ts'
import { readableRate } from './format.ts'
import { fill, html, type Html } from './html.ts'
import { directionOf, languageNames, languages } from './languages.ts'
import { amountText, icon, moment, contextOf, type PageContext } from './parts.ts'
import type { Live, Page, PaymentRequest, Scene } from './scene.ts'
import { chooseScene, chooseTitle } from './scenes/choose.ts'
import { doneScene, expiredScene, failedScene, plainScene } from './scenes/ended.ts'
import { otpScene, promptScene, redirectScene, transferScene, waitingScene } from './scenes/in-progress.ts'

export interface Assets {
  stylesheet: string
  script: string
}

const refreshSeconds = 5

/** Renders a whole page from data alone. The page works without JavaScript and loads nothing from another origin. */
export function renderPage(page: Page, assets: Assets): string {
  const context = contextOf(page)
  const title = titleOf(context)
  const live = liveOf(page.scene)
  const document = html`<!doctype html>
    <html lang="${page.language}" dir="${directionOf(page.language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="${lightGround}" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="${darkGround}" media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        <link rel="stylesheet" href="${assets.stylesheet}" />
        <link rel="icon" href="data:," />
        ${live && isWaiting(page.scene) && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`}
        ${page.scene.kind === 'redirect' && page.scene.isAutomatic && html`<meta http-equiv="refresh" content="0;url=${page.scene.url}" />`}
        <script type="module" src="${assets.script}"></script>
      </head>
      <body>
        ${header(context)}
        <main ${page.request && html`class="columns"`} ${live && liveAttributes(live)}>
          ${page.request ? request(context, page.request) : html`<h1 class="unseen">${title}</h1>`}
          <section class="panel">${sceneOf(context)}</section>
        </main>
        <footer>${icon('lock')} ${context.words.secure}</footer>
      </body>
    </html> `
  return document.markup
}

const liveAttributes = (live: Live): Html =>
  html`data-events="${live.eventsUrl}" data-status="${live.statusUrl}" data-state="${live.state}"`

const liveOf = (scene: Scene): Live | undefined => ('live' in scene ? scene.live : undefined)

/** Pages with a form are excluded, because a refresh would discard what the payer has typed. */
const isWaiting = ({ kind }: Scene): boolean =>
  kind === 'prompt' || kind === 'transfer' || kind === 'checking' || kind === 'elsewhere'

function header({ page, words }: PageContext): Html {
  const { merchant, language, path } = page
  return html`<header>
    <p class="merchant">
      ${merchant.logoUrl !== undefined && html`<img src="${merchant.logoUrl}" alt="" height="40" />`}<bdi
        >${merchant.name}</bdi
      >
    </p>
    <details class="language">
      <summary><span class="unseen">${words.language}: </span>${languageNames[language]}</summary>
      <ul>
        ${languages.map(
          (other) =>
            html`<li>
              <a
                href="${path}?lang=${other}"
                lang="${other}"
                hreflang="${other}"
                ${other === language && html`aria-current="true"`}
                >${languageNames[other]}</a
              >
            </li>`,
        )}
      </ul>
    </details>
  </header>`
}

function request(context: PageContext, { description, amount, exchange, payBy }: PaymentRequest): Html {
  const { page, words } = context
  const { language, merchant } = page
  return html`<div class="request">
    <h1>
      <span class="unseen">${titleOf(context)}. ${words.amountToPay}: </span>${
        amount ? html`<bdi>${amountText(context, amount)}</bdi>` : html`<bdi>${merchant.name}</bdi>`
      }
    </h1>
    ${description !== '' && html`<p class="about"><bdi>${description}</bdi></p>`}
    ${exchange && exchangeText(context, exchange)}
    ${payBy !== undefined && html`<p class="hint">${fill(words.payBy, { time: moment(language, payBy) })} <span class="left" data-countdown="${payBy}" data-left="${words.timeLeft}"></span></p>`}
    ${page.scene.kind === 'choose' && page.scene.qrUrl !== undefined && goOnByPhone(context, page.scene.qrUrl)}
  </div>`
}

/** Shown only on wide screens. The image is loaded lazily, so that phones never load it. */
const goOnByPhone = ({ words }: PageContext, url: string): Html =>
  html`<figure class="qr">
    <img src="${url}" alt="" width="132" height="132" loading="lazy" />
    <figcaption><strong>${words.qrTitle}</strong> ${words.qrText}</figcaption>
  </figure>`

function exchangeText(
  context: PageContext,
  { receives, until, ...exchange }: NonNullable<PaymentRequest['exchange']>,
): Html {
  const { language, merchant } = context.page
  const { words } = context
  const locked = fill(words.rate, {
    ...readableRate(language, exchange),
    time: moment(language, until),
  })
  const received =
    receives && fill(words.receives, { merchant: merchant.name, amount: amountText(context, receives) })
  return html`<p class="hint">${received} ${locked}</p>`
}

function titleOf(context: PageContext): string {
  const { kind } = context.page.scene
  return kind === 'choose' ? chooseTitle(context) : context.words[`${kind}Title`]
}

function sceneOf(context: PageContext): Html {
  const { scene } = context.page
  switch (scene.kind) {
    case 'choose':
      return chooseScene(context, scene)
    case 'redirect':
      return redirectScene(context, scene)
    case 'otp':
      return otpScene(context, scene)
    case 'prompt':
      return promptScene(context, scene)
    case 'transfer':
      return transferScene(context, scene)
    case 'checking':
    case 'elsewhere':
      return waitingScene(context, scene.kind)
    case 'done':
      return doneScene(context, scene)
    case 'failed':
      return failedScene(context, scene)
    case 'expired':
      return expiredScene(context, scene)
    case 'canceled':
    case 'none':
    case 'missing':
    case 'busy':
    case 'trouble':
      return plainScene(context, scene.kind)
  }
}

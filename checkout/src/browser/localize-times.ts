const secondMs = 1_000
const countdownMs = 60 * 60 * secondMs

const toTwoDigits = (count: number): string => String(count).padStart(2, '0')

/** Shows times in the payer's time zone, and a countdown during the last hour. */
export function localizeTimes(): void {
  const { lang } = document.documentElement
  const regional = navigator.languages.find((preferred) => preferred.split('-')[0] === lang) ?? lang
  const locale = lang === 'ar' ? 'ar-u-nu-latn' : regional
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  for (const element of document.querySelectorAll<HTMLTimeElement>('[data-moment]'))
    element.textContent = format.format(new Date(element.dateTime))
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) countDown(element)
}

function countDown(element: HTMLElement): void {
  const endsAt = new Date(element.dataset['countdown'] ?? '').getTime()
  const [before = '', after = ''] = (element.dataset['left'] ?? '').split('{time}')
  const clock = document.createElement('bdi')
  let isShown = false
  const tick = (): void => {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) {
      clearInterval(timer)
      setTimeout(() => location.replace(location.pathname), secondMs)
      return
    }
    if (leftMs > countdownMs) return
    if (!isShown) element.replaceChildren(before, clock, after)
    isShown = true
    const seconds = Math.floor(leftMs / secondMs)
    clock.textContent = `${toTwoDigits(Math.floor(seconds / 60))}:${toTwoDigits(seconds % 60)}`
  }
  const timer = setInterval(tick, secondMs)
  tick()
}

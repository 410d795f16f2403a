import type { Translated } from '../translated.ts'
import type { states as english } from '../en/states.ts'

/** What every screen can say: loading, empty, refused, failed. */
export const states: Translated<typeof english> = {
  loading: 'جارٍ التحميل',
  tryAgain: 'حاول مجددًا',
  failed: 'تعذّر التحميل.',
  offline: 'تعذّر الوصول إلى الخادم. تحقّق من اتصالك.',
  requestId: 'معرّف الطلب',
  copy: 'نسخ',
  copied: 'تم النسخ',
  cancel: 'إلغاء',
  you: 'أنت',
  outcomeUnknown:
    'انقطع الاتصال ولا يُعرف ما إذا نُفّذ هذا الإجراء. تحقّق قبل تكراره؛ والتكرار من هنا يُنفَّذ مرة واحدة على الأكثر.',
  startOver: 'البدء من جديد',
  filters: 'عوامل التصفية',
  any: 'الكل',
  clear: 'مسح عوامل التصفية',
  moreFilters: 'عوامل تصفية أكثر',
  fewerFilters: 'عوامل تصفية أقل',
  noMatch: 'لا شيء يطابق عوامل التصفية هذه',
  noMatchText: 'غيّر عوامل التصفية أو امسحها لرؤية المزيد.',
  next: 'الأقدم',
  first: 'الأحدث',
  times: 'الأوقات بتوقيت',
  export: 'تصدير CSV',
  exporting: 'جارٍ التصدير…',
  forbidden: 'لا يحق لك رؤية هذا.',
  forbiddenHint: 'اطلب من مسؤول في مؤسستك الصلاحية',
  notFound: 'لا توجد صفحة كهذه.',
  backHome: 'الانتقال إلى الصفحة الرئيسية',
}

/** The institutes of whoever runs the cloud, and the figures of their months. */
export const platformFigures = {
  institutes: 'المعاهد',
  archived: 'أُغلقت نهائيًا',
  cancelled: 'أُلغي اشتراكها',
  locked: 'أُقفلت',
  recurring: 'كل شهر، بحسب الخطة',
  countedAt: 'وقت العدّ',
  planName: 'الخطة',
  subscriptions: 'الاشتراكات',
  archivedAt: 'أُرشف في',
  cancelledAt: 'أُلغي في',
}

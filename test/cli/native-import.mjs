/** An import as Node does it. In a module that the test runner transforms, it would transform all that is imported. */
export const nativeImport = (url) => import(url);

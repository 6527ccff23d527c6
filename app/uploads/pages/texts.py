"""What the script of the upload field says, in the reader's language; ``{n}`` is a place that the script fills."""

from __future__ import annotations

from flask_babel import gettext


def script_texts() -> dict[str, str]:
    return {
        "queued": gettext("等待上传"),
        "shrinking": gettext("正在缩小照片"),
        "sending": gettext("上传中 {n} %"),
        "network": gettext("等待网络，恢复后自动接着传"),
        "busy": gettext("服务器正忙，稍后自动重试"),
        "paused": gettext("已暂停"),
        "signedOut": gettext("登录已过期，请重新登录后接着传"),
        "stalePage": gettext("页面打开得太久，请刷新后接着传"),
        "checking": gettext("检查中"),
        "postponed": gettext("检查暂时不能进行，会自动继续"),
        "ready": gettext("可以提交"),
        "readyPages": gettext("可以提交（{n} 页）"),
        "refused": gettext("被拒绝：{why}"),
        "page": gettext("第 {n} 页"),
        "pause": gettext("暂停上传"),
        "goOn": gettext("继续上传"),
        "wait": gettext("还有 {n} 个文件没有传好，传好后再提交"),
        "mend": gettext("请先删除被拒绝的文件，再提交"),
        "tooMany": gettext("最多 {n} 页，没有加入：{names}"),
        "comma": gettext("、"),
        "twice": gettext("这个文件已经在列表里"),
        "tooLarge": gettext("文件有 {size} MB，超过了 {most} MB 的上限。"),
        "empty": gettext("这个文件是空的（0 字节），可能没有下载或保存完。"),
        "lost": gettext("没有传完，请删除后重新上传"),
        "removed": gettext("已删除"),
        "moved": gettext("已移到第 {n} 页"),
        "resumed": gettext("接着上次的上传"),
    }
